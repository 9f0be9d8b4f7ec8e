import { Client, DatabaseError } from "pg";
import { isCertificateRefused } from "@/lib/db/failures";
import { PoolerError, refusePooler } from "@/lib/db/refuse-pooler";
import { applyMigrations, MigrationError, NO_CODE } from "@/scripts/support/apply-migrations";

/** What the service was seen to run on (docs/operations.md). */
const OLDEST_POSTGRES = 15;
const CONNECT_TIMEOUT_MS = 5_000;
const UNKNOWN_DATABASE = "3D000";
const WRONG_PASSWORD = "28P01";
/** Another start made it at the same moment. */
const MADE_ALREADY = new Set(["42P04", "23505"]);
/** It was stopped, or killed, in which case it said nothing. */
const GONE = "Its own log says why it ended the connection, DATA_DIR/postgres.log where it is the embedded one.";
const SET_RIGHT = "Set its name right; a new one is made by the first start, create-account or create-staff.";
/** What to do, by Postgres' code. */
const ADVICE: Record<string, string> = {
  "42501": "Make its user the owner of the database.",
  "25006": "Name a server that takes writes.",
  "55P03": "Something has held a table for half an hour: end it (pg_stat_activity names it), then start again.",
  "53300": "Let it take more connections (max_connections).",
  "53100": "Free space on its disk.",
  "57P01": GONE,
  "57P02": GONE,
  [NO_CODE]: GONE,
};

/**
 * Brings the database up to the newest migration, after making it when the server has none of that name.
 * @param isGiven whether its address is a person's own, who is told that it was made; the embedded one is made at the first start
 * @returns the names of the migrations applied now
 * @throws Error that says what to do when the database cannot be reached, is too old or refuses, or a pooler stands before it
 */
export async function migrate(databaseUrl: string, isGiven = false): Promise<string[]> {
  try {
    refuseOldPostgres(await versionOrMade(databaseUrl, isGiven));
    await refusePooler(databaseUrl);
    return await applyMigrations(databaseUrl);
  } catch (error) {
    throw explained(error);
  }
}

/**
 * Refuses a database that is not there, or not this service's: of a mistyped name.
 * @throws Error that says so, or why it cannot be reached
 */
export async function refuseStrange(databaseUrl: string): Promise<void> {
  const { name } = besideIt(databaseUrl);
  try {
    const [row] = await query(databaseUrl, "SELECT to_regclass('_prisma_migrations') AS migrations");
    if (row?.migrations) return;
    throw new NoDatabaseError(`DATABASE_URL: the database "${name}" is not one of this service. ${SET_RIGHT}`);
  } catch (error) {
    if ((error as { code?: string }).code !== UNKNOWN_DATABASE) throw explained(error);
    throw new NoDatabaseError(`DATABASE_URL: there is no database "${name}". ${SET_RIGHT}`);
  }
}

class OldPostgresError extends Error {}

/** The database that the address names is not there, and could not be made. */
class NoDatabaseError extends Error {}

/**
 * @param version as `SHOW server_version` says it
 * @throws OldPostgresError when the service does not run on it
 */
export function refuseOldPostgres(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return;
  throw new OldPostgresError(
    `DATABASE_URL: this is Postgres ${version}; the service needs ${OLDEST_POSTGRES} or newer.`,
  );
}

/** What went wrong with the connection, or what Postgres refused, with what to do. */
function explained(error: unknown): Error {
  if (error instanceof OldPostgresError || error instanceof NoDatabaseError) return error;
  if (error instanceof PoolerError) return new Error(`DATABASE_URL: ${error.message}`);
  const { code, message } = error as { code?: string; message: string };
  if (error instanceof MigrationError) return withAdvice(message, code);
  if (code === WRONG_PASSWORD) {
    return new Error("The database refuses the password: put secrets.json of DATA_DIR, or DATABASE_URL, right.");
  }
  // The system's own codes may look as Postgres' do: EPERM, EPIPE.
  if (error instanceof DatabaseError) {
    return withAdvice(`DATABASE_URL: the database refuses: ${message} (${code}).`, code);
  }
  return new Error(`DATABASE_URL: ${unreachable(error as NodeJS.ErrnoException)}`);
}

function unreachable({ code, message, syscall, path }: NodeJS.ErrnoException): string {
  if (isCertificateRefused(code ?? "")) {
    return `the certificate of the database is not trusted (${code}). Name its authority: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem`;
  }
  // What its parameters name, such as sslrootcert.
  if (syscall === "open") return `${path} cannot be read (${code}). Set it right.`;
  return `the database cannot be reached (${code ?? message}). Start it, or set the address right.`;
}

function withAdvice(words: string, code = ""): Error {
  return new Error([words, ADVICE[code]].filter(Boolean).join(" "));
}

async function versionOrMade(databaseUrl: string, isGiven: boolean): Promise<string> {
  try {
    return await versionOf(databaseUrl);
  } catch (error) {
    if ((error as { code?: string }).code !== UNKNOWN_DATABASE) throw error;
    await createDatabase(databaseUrl, isGiven);
    return versionOf(databaseUrl);
  }
}

async function versionOf(databaseUrl: string): Promise<string> {
  const [row] = await query(databaseUrl, "SHOW server_version");
  return row?.server_version ?? "";
}

async function createDatabase(databaseUrl: string, isGiven: boolean): Promise<void> {
  const { name, maintenanceUrl } = besideIt(databaseUrl);
  try {
    await query(maintenanceUrl, `CREATE DATABASE "${name.replaceAll('"', '""')}"`);
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    if (MADE_ALREADY.has(code)) return;
    throw new NoDatabaseError(
      `DATABASE_URL: there is no database "${name}", and it cannot be made: ${message} (${code}). Make it, owned by the user of the address, or set its name right.`,
    );
  }
  // With a name that was mistyped a service would look well, and checks of its books clean.
  if (isGiven) process.stderr.write(`DATABASE_URL: there was no database "${name}": an empty one was made.\n`);
}

/** Of an address: the database that it names, and the address of the one that every server has. */
function besideIt(databaseUrl: string): { name: string; maintenanceUrl: string } {
  // An address of a socket has a user and no host, which no URL may.
  const isHostless = databaseUrl.includes("@/");
  const url = new URL(isHostless ? databaseUrl.replace("@/", "@socket/") : databaseUrl);
  // One that is not named is called as its user.
  const name = decodeURIComponent(url.pathname.slice(1) || url.username);
  url.pathname = "/postgres";
  return { name, maintenanceUrl: isHostless ? url.href.replace("@socket/", "@/") : url.href };
}

async function query(databaseUrl: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
