import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { applyMigrations } from "@/scripts/support/apply-migrations";
import { schemaToSql } from "@/scripts/support/schema-engine";

/** What Prisma cannot word and the migrations add by hand, by a mark in its name. */
const HAND_WRITTEN =
  /_(expiry|open|open_session|due|named|refused|redirected|failed|granted|unpaid|reference)_idx$|_check$/;

const FOLDER = "prisma/migrations";
/** What an older server that still runs would miss, or be refused: columns, names, values that it does not give. */
const TAKES_AWAY = [
  /DROP (TABLE|COLUMN|DEFAULT|TYPE|VIEW|FUNCTION)|RENAME|SET NOT NULL|SET DATA TYPE|ALTER COLUMN "?\w+"? TYPE/i,
  /ADD COLUMN (?!.*DEFAULT).*NOT NULL|CREATE UNIQUE INDEX|ADD CONSTRAINT .*(UNIQUE|CHECK)/i,
];
/** Named in docs/operations.md, "Upgrade": versions from before these do not run beside later ones. */
const KNOWN = ["20261120040000_idempotency_owner", "20261120050000_knowledge"];

let migrated: TestDatabase;
let drawn: TestDatabase;

beforeAll(async () => {
  [migrated, drawn] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await run(drawn.url, `DROP SCHEMA public CASCADE;`);
  await run(drawn.url, await schemaToSql(drawn.url));
});

afterAll(async () => {
  await Promise.all([migrated.drop(), drawn.drop()]);
});

describe("migrations", () => {
  it("make the columns that the schema files say", async () => {
    const columns = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
      AS line FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1`;
    expect(await lines(migrated.url, columns)).toEqual(await lines(drawn.url, columns));
  });

  it("make the indexes and constraints that the schema files say", async () => {
    const indexes = `SELECT indexdef AS line, indexname AS name FROM pg_indexes
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`;
    const constraints = `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line, conname AS name
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
      AND conrelid::regclass::text <> '_prisma_migrations' ORDER BY 1`;
    for (const query of [indexes, constraints])
      expect(await lines(migrated.url, query)).toEqual(await lines(drawn.url, query));
  });

  it("leave a version from before them all that it uses: a new server migrates while old ones run", () => {
    const [, ...later] = readdirSync(FOLDER)
      .filter((name) => /^\d/.test(name))
      .sort();
    expect(later.filter(takesAway)).toEqual(KNOWN);
  });

  it("apply once and then not again", async () => {
    expect(await applyMigrations(migrated.url)).toEqual([]);
  });
});

/** Of tables that it makes itself a migration may ask what it likes. */
function takesAway(name: string): boolean {
  const statements = readFileSync(`${FOLDER}/${name}/migration.sql`, "utf8")
    .replace(/^--.*$/gm, "")
    .split(";");
  const own = statements.flatMap((statement) => /CREATE TABLE "?(\w+)/.exec(statement)?.[1] ?? []);
  return statements.some(
    (statement) => TAKES_AWAY.some((words) => words.test(statement)) && !own.some((table) => statement.includes(table)),
  );
}

async function run(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

async function lines(url: string, sql: string): Promise<string[]> {
  const { rows } = await run(url, sql);
  return rows.filter((row) => !HAND_WRITTEN.test(row.name ?? "")).map((row) => row.line);
}
