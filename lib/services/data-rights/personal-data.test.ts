import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";

let schema: Map<string, string[]>;

useServiceDatabase();
beforeAll(async () => {
  const { rows } = await db().query<{ table: string; columns: string[] }>(
    `SELECT t.table_name AS table, coalesce(array_agg(c.column_name::text ORDER BY c.column_name)
       FILTER (WHERE c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'tsvector', 'inet')), '{}') AS columns
     FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
     WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND t.table_name <> '_prisma_migrations'
     GROUP BY 1`,
  );
  schema = new Map(rows.map(({ table, columns }) => [table, columns]));
});

describe("the list of personal data", () => {
  it("names every table of the schema, once", () => {
    expect(PERSONAL_DATA.map(({ table }) => table).sort()).toEqual([...schema.keys()].sort());
  });

  it("says of every column that can hold text whether it is personal", () => {
    const listed = Object.fromEntries(
      PERSONAL_DATA.map(({ table, personal, plain }) => [table, [...personal, ...plain].sort()]),
    );
    expect(listed).toEqual(Object.fromEntries(schema));
  });

  it("knows how to find the rows of whoever is named in a table", () => {
    for (const { table, personal, ofEndUser } of PERSONAL_DATA) {
      if (personal.includes("end_user_id")) expect(ofEndUser, table).toBeDefined();
    }
  });

  it("has conditions that the database understands", async () => {
    for (const { table, ofEndUser = [], erasedOnlyIf, ofAccount } of PERSONAL_DATA) {
      const values = ["prj_none", "ada", new Date()];
      const known = "$1::text || $2::text IS NOT NULL AND $3::timestamptz IS NOT NULL";
      if (erasedOnlyIf) await db().query(`SELECT FROM ${table} t WHERE ${known} AND (${erasedOnlyIf})`, values);
      for (const where of ofEndUser) await db().query(`SELECT FROM ${table} t WHERE ${where}`, ["prj_none", "ada"]);
      for (const where of [ofAccount].flat()) {
        if (/[$=]/.test(where)) await db().query(`SELECT FROM ${table} t WHERE ${where}`, ["acc_none"]);
      }
    }
  });
});
