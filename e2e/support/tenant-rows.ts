import { db } from "@/lib/db/pool";

/** How the rows of a project are found, by the first of these columns that a table has. */
const OF_PROJECT: readonly [column: string, condition: string][] = [
  ["project_id", "t.project_id = $1"],
  ["session_id", "t.session_id IN (SELECT id FROM sessions WHERE project_id = $1)"],
  ["turn_id", "t.turn_id IN (SELECT id FROM turns WHERE project_id = $1)"],
  ["template_id", "t.template_id IN (SELECT id FROM templates WHERE project_id = $1)"],
  ["delivery_id", "t.delivery_id IN (SELECT id FROM webhook_deliveries WHERE project_id = $1)"],
  ["key_id", "t.key_id IN (SELECT id FROM api_keys WHERE project_id = $1)"],
  ["file_id", "t.file_id IN (SELECT id FROM knowledge_files WHERE project_id = $1)"],
];

/** The same for what an account has beside its projects. */
const OF_ACCOUNT: readonly [column: string, condition: string][] = [
  ["account_id", "t.account_id = $1"],
  ["user_id", "t.user_id IN (SELECT user_id FROM members WHERE account_id = $1)"],
];

const BY_NAME: Record<string, [level: "project" | "account", condition: string]> = {
  projects: ["project", "t.id = $1"],
  accounts: ["account", "t.id = $1"],
  users: ["account", "t.id IN (SELECT user_id FROM members WHERE account_id = $1)"],
};

/** Belong to no tenant: the queue of all, mail that is sealed, addresses that failed to sign in, migrations. */
const OF_NOBODY = /^(runner_\w+|outbox_events|mails|sign_in_attempts|_prisma_migrations)$/;

/** A table whose rows belong to projects, or to accounts. */
export interface TenantTable {
  table: string;
  level: "project" | "account";
  /** On the table as `t`; `$1` is the project or account. */
  condition: string;
  hasId: boolean;
}

/** Every table of the schema that belongs to tenants. @throws Error for one of which nobody said whose its rows are */
export async function tenantTables(): Promise<TenantTable[]> {
  const { rows } = await db().query<{ table: string; columns: string[] }>(
    `SELECT t.table_name AS table, array_agg(c.column_name::text) AS columns
     FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
     WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' GROUP BY 1 ORDER BY 1`,
  );
  return rows.filter(({ table }) => !OF_NOBODY.test(table)).map(({ table, columns }) => toTable(table, columns));
}

function toTable(table: string, columns: string[]): TenantTable {
  const has = ([column]: readonly [string, string]) => columns.includes(column);
  const [ofProject, ofAccount] = [OF_PROJECT.find(has), OF_ACCOUNT.find(has)];
  const [level, condition] =
    BY_NAME[table] ?? (ofProject ? ["project", ofProject[1]] : ["account", ofAccount?.[1] ?? ""]);
  if (!condition) throw new Error(`Say whose the rows of ${table} are, in tenant-rows.ts.`);
  return { table, level, condition, hasId: columns.includes("id") };
}

/** What stands in a tenant's rows, by table; the same text as long as none of them changes, comes or goes. */
export async function digestRows(
  level: TenantTable["level"],
  tenantId: string,
  tables: TenantTable[],
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (const { table, condition } of tables.filter((one) => one.level === level)) {
    const { rows } = await db().query<{ digest: string }>(
      `SELECT count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '')) AS digest
       FROM ${table} t WHERE ${condition}`,
      [tenantId],
    );
    digests.set(table, rows[0]?.digest ?? "");
  }
  return digests;
}

/** The ids of a tenant's rows, and where its files lie. */
export async function readIds(level: TenantTable["level"], tenantId: string, tables: TenantTable[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { table, condition } of tables.filter((one) => one.level === level && one.hasId)) {
    const { rows } = await db().query<{ id: unknown }>(`SELECT t.id FROM ${table} t WHERE ${condition}`, [tenantId]);
    ids.push(...rows.map(({ id }) => String(id)).filter((id) => ID.test(id)));
  }
  if (level === "account") return ids;
  const { rows } = await db().query<{ key: string }>(
    "SELECT storage_key AS key FROM stored_files WHERE project_id = $1",
    [tenantId],
  );
  return [...ids, ...rows.map(({ key }) => key)];
}

const ID = /^[a-z]{3}_\w{26}$/;
