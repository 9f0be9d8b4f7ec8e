import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "pg";

const UNKNOWN_DATABASE = "3D000";
const UNKNOWN_TABLE = "42P01";
const WRONG_PASSWORD = "28P01";

/**
 * Brings the database up to the newest migration, after making it when the server has none of that name.
 * The engine is loaded only when something is to be done.
 * @returns the names of the migrations applied now
 * @throws Error that says what to do when the database cannot be reached or refuses the password
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const applied = await appliedMigrations(databaseUrl);
  const missing = migrationNames().filter((name) => !applied.has(name));
  if (missing.length === 0) return [];
  const { applyMigrations } = await import("@/scripts/support/schema-engine");
  return applyMigrations(databaseUrl);
}

function migrationNames(): string[] {
  return readdirSync(resolve("prisma/migrations"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

async function appliedMigrations(databaseUrl: string): Promise<Set<string>> {
  try {
    const rows = await query(
      databaseUrl,
      "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
    );
    return new Set(rows.map((row) => row.migration_name ?? ""));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === UNKNOWN_TABLE) return new Set();
    if (code === UNKNOWN_DATABASE) {
      await createDatabase(databaseUrl);
      return new Set();
    }
    if (code === WRONG_PASSWORD) {
      throw new Error("The database refuses the password: put secrets.json of DATA_DIR, or DATABASE_URL, right.");
    }
    throw new Error(
      `DATABASE_URL: the database cannot be reached (${code ?? message}). Start it, or set the address right.`,
    );
  }
}

async function createDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = "/postgres";
  await query(url.href, `CREATE DATABASE "${name.replaceAll('"', '""')}"`);
}

async function query(databaseUrl: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
