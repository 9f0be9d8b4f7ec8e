import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { KEPT_CONNECTION } from "@/lib/db/connection";

/**
 * Applies migration folders, each in one transaction with its row of `_prisma_migrations`: one that fails, or whose process is
 * stopped or killed, leaves nothing behind, and the next start begins it anew. The rows are as Prisma's command line writes them.
 */

const MIGRATIONS_DIR = resolve("prisma/migrations");
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A start that was stopped, or whose machine went, would keep its tables from all servers, and the lock from all starts, for as long
 * as its connection looks alive: Postgres ends what says nothing for so long, within a migration and between two of them.
 */
const FROZEN = "-c idle_in_transaction_session_timeout=60000 -c idle_session_timeout=60000";
/** Limits that a provider, or an operator, gives the database's user are meant for what clients ask. */
const UNLIMITED = "-c statement_timeout=0 -c lock_timeout=0";
/** As Prisma's command line locks: it and several starts wait for each other. */
const LOCK = 72_707_369;
const UNKNOWN_TABLE = "42P01";
/**
 * A migration locks several tables while other servers work. Whatever they do with a table that it waits for waits behind it: it
 * gives up soon, and begins anew once they have had their turn. Something that takes long, such as an export, may hold one.
 */
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS = 1_000;
const MOST_WAIT_MS = 30 * 60_000;
/** That, and one of two that wait for each other, which the database ends. */
const NOT_LOCKED = new Set(["55P03", "40P01"]);

const ROWS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** In place of Postgres' code, of an error that is not its: the connection broke. */
export const NO_CODE = "no code";

/** Says which migration it was; `code` is Postgres' where it refused. */
export class MigrationError extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/**
 * Brings a database up to the newest migration; safe to run twice, and at several places at once.
 * @returns the names of the migrations applied now
 * @throws MigrationError for the one that failed, or that an earlier version left half-done
 */
export async function applyMigrations(databaseUrl: string, folder = MIGRATIONS_DIR): Promise<string[]> {
  const client = new Client({
    connectionString: databaseUrl,
    ...KEPT_CONNECTION,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `${FROZEN} ${UNLIMITED}`,
  });
  // One that breaks fails its query.
  client.on("error", () => {});
  await client.connect();
  try {
    if (missingOf(folder, await migrationRows(client)).length === 0) return [];
    await takeLock(client);
    await client.query(ROWS_TABLE);
    const rows = await migrationRows(client);
    refuseHalfDone(rows);
    const names = missingOf(folder, rows);
    for (const name of names) await applyOne(client, folder, name);
    return names;
  } finally {
    await client.end();
  }
}

/** Whoever waits says so: a start that stands still without a word looks broken. */
async function takeLock(client: Client): Promise<void> {
  const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS taken", [LOCK]);
  if (rows[0]?.taken) return;
  process.stderr.write("Another process migrates the database; waiting for it …\n");
  await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
}

interface MigrationRow {
  name: string;
  isFinished: boolean;
}

function missingOf(folder: string, rows: MigrationRow[]): string[] {
  const applied = new Set(rows.filter(({ isFinished }) => isFinished).map(({ name }) => name));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !applied.has(entry.name))
    .map((entry) => entry.name)
    .sort();
}

/** Earlier versions ran a migration's statements one by one, after the row: which of them were done nobody knows. */
function refuseHalfDone(rows: MigrationRow[]): void {
  const left = rows.find(({ isFinished }) => !isFinished);
  if (!left) return;
  throw new MigrationError(
    `The migration ${left.name} was broken off half-way by an earlier version. Restore the back-up from before it; without data, begin with an empty database.`,
  );
}

async function migrationRows(client: Client): Promise<MigrationRow[]> {
  try {
    const { rows } = await client.query(
      `SELECT migration_name AS name, finished_at IS NOT NULL AS "isFinished" FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    return rows;
  } catch (error) {
    if ((error as { code?: string }).code === UNKNOWN_TABLE) return [];
    throw error;
  }
}

async function applyOne(client: Client, folder: string, name: string): Promise<void> {
  const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
  const deadline = performance.now() + MOST_WAIT_MS;
  for (let tries = 1; ; tries++) {
    const error = await tryOne(client, name, sql);
    if (error === null) return;
    const { code, message } = error;
    if (code === undefined || !NOT_LOCKED.has(code) || performance.now() > deadline) {
      const ofPostgres = code ?? NO_CODE;
      throw new MigrationError(`The migration ${name} failed and was undone: ${message} (${ofPostgres}).`, ofPostgres);
    }
    if (tries === 1) process.stderr.write(`The migration ${name} waits for a table that is in use …\n`);
    await delay(PAUSE_MS);
  }
}

/** @returns why nothing of it is there; null: all is */
async function tryOne(client: Client, name: string, sql: string): Promise<{ code?: string; message: string } | null> {
  const checksum = createHash("sha256").update(sql).digest("hex");
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
    return null;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    return error as { code?: string; message: string };
  }
}
