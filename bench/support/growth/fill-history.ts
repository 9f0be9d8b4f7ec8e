import { availableParallelism } from "node:os";
import { Client } from "pg";
import { type History, historyStatements } from "@/bench/support/growth/history-statements";

const FILLED_TABLES = [
  "accounts",
  "projects",
  "api_keys",
  "end_users",
  "sessions",
  "turns",
  "messages",
  "stored_files",
  "usage_days",
  "usage_totals",
  "usage_months",
  "usage_key_days",
  "ledger_entries",
  "call_logs",
  "call_hours",
  "session_count_changes",
  "webhook_registrations",
  "webhook_deliveries",
  "webhook_attempts",
  "audit_log",
];

/**
 * Fills a migrated, empty database with the past of a busy account among others, each table in one statement. Indexes are
 * made when the rows are there, as a restore does it.
 * @param say told what is being done
 */
export async function fillHistory(databaseUrl: string, history: History, say: (line: string) => void): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Rows are right by themselves: foreign keys and triggers need not look at each. One connection, much memory.
    await client.query(`SET session_replication_role = replica`);
    await client.query(`SET synchronous_commit = off`);
    await client.query(`SET work_mem = '256MB'`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
       WHERE t.relname = ANY($1) AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`,
      [FILLED_TABLES],
    );
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`);
    for (const [name, statement] of Object.entries(historyStatements(history))) {
      const startedAt = performance.now();
      const { rowCount } = await client.query(statement);
      say(`${name}: ${(rowCount ?? 0).toLocaleString("en-US")} rows in ${seconds(startedAt)} s`);
    }
    const startedAt = performance.now();
    await executeAll(
      databaseUrl,
      indexes.map(({ definition }) => definition),
    );
    await executeAll(
      databaseUrl,
      FILLED_TABLES.map((table) => `VACUUM (ANALYZE) ${table}`),
    );
    say(`${indexes.length} indexes, statistics: ${seconds(startedAt)} s`);
  } finally {
    await client.end();
  }
}

/** Over a few connections at once. */
async function executeAll(databaseUrl: string, statements: string[]): Promise<void> {
  const left = [...statements];
  const work = async () => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(`SET maintenance_work_mem = '512MB'`);
      for (let next = left.shift(); next !== undefined; next = left.shift()) await client.query(next);
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1);
