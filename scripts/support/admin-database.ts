import { setTimeout as delay } from "node:timers/promises";
import type { Env } from "@/lib/env";
import { type AdminCommand, OtherKeyError } from "@/scripts/support/admin-command";
import { findCluster } from "@/scripts/support/cluster-place";
import {
  keepsEncryptionKey,
  loadSecrets,
  makeEncryptionKey,
  openDataDir,
  type RuntimeNote,
  readRuntimeNote,
  type Secrets,
} from "@/scripts/support/data-dir";
import { startPostgres } from "@/scripts/support/embedded-postgres";
import { guardedBy, startGuard } from "@/scripts/support/guard";
import { refuseUnseenHolder } from "@/scripts/support/leftover-postgres";
import { migrate, refuseStrange } from "@/scripts/support/migrate";
import { acquireLock } from "@/scripts/support/service-lock";
import { serviceVariables } from "@/scripts/support/service-settings";

const WAIT_MS = 60_000;
const POLL_MS = 100;

/**
 * Runs `work` with the service's settings and database in `process.env`: the database of the settings, else that of
 * the running service, else the data directory's own Postgres, started for the moment.
 * @param command what `work` needs, and whether it may make a database where there is none
 * @throws OtherKeyError when it needs the service's own key, and that is known to be another one
 * @throws Error when there is no database, and it makes none
 */
export async function withDatabase<T>(
  settings: Env,
  work: () => Promise<T>,
  { needsKey, setsUp }: Pick<AdminCommand, "needsKey" | "setsUp"> = {},
): Promise<T> {
  openDataDir(settings.DATA_DIR);
  const isGiven = settings.DATABASE_URL !== undefined;
  const database = settings.DATABASE_URL
    ? openGiven(settings.DATA_DIR, settings.DATABASE_URL)
    : await findRunning(settings, setsUp);
  try {
    if (isGiven && !setsUp) await refuseStrange(database.url);
    const isNew = (await migrate(database.url, isGiven)).length > 0;
    if (needsKey && !isNew && !hasKey(settings)) throw new OtherKeyError();
    Object.assign(process.env, serviceVariables(settings, secretsOf(settings, isNew), database.url));
    const { closePools } = await import("@/lib/db/pool");
    try {
      return await work();
    } finally {
      await closePools();
    }
  } finally {
    await database.close();
  }
}

function hasKey({ ENCRYPTION_KEY, DATA_DIR }: Env): boolean {
  return ENCRYPTION_KEY !== undefined || keepsEncryptionKey(DATA_DIR);
}

/**
 * The secrets for a command. A database that was there has a key, wherever it is: one that is made here opens nothing, and is not
 * kept, or the next command would take it for the service's.
 */
function secretsOf(settings: Env, isNewDatabase: boolean): Secrets {
  const isForNow = !isNewDatabase && !hasKey(settings);
  return loadSecrets(settings.DATA_DIR, isForNow ? makeEncryptionKey() : settings.ENCRYPTION_KEY);
}

interface OpenDatabase {
  url: string;
  close(): Promise<void>;
}

/** What the directory notes of a service counts when it has the same database: another may have run there before. */
function openGiven(dataDir: string, url: string): OpenDatabase {
  const note = readRuntimeNote(dataDir);
  if (note?.databaseUrl === url) leadLinksTo(note);
  return { url, close: async () => {} };
}

/** Links that a command prints lead to the service that runs, whatever port it took. An empty setting is none. */
function leadLinksTo({ url }: RuntimeNote): void {
  if (!process.env.APP_URL?.trim()) process.env.APP_URL = url;
}

async function findRunning(settings: Env, setsUp?: true): Promise<OpenDatabase> {
  const dataDir = settings.DATA_DIR;
  await refuseUnseenHolder(dataDir);
  const deadline = Date.now() + WAIT_MS;
  while (true) {
    const lock = await acquireLock(dataDir, "admin", WAIT_MS);
    if ("release" in lock) return startForNow(settings, lock.release, setsUp);
    const note = readRuntimeNote(dataDir);
    if (note && note.pid === lock.holder.pid) {
      leadLinksTo(note);
      return { url: note.databaseUrl, close: async () => {} };
    }
    if (Date.now() > deadline)
      throw new Error(`Process ${lock.holder.pid} keeps ${dataDir} and does not get ready. Try again.`);
    await delay(POLL_MS);
  }
}

async function startForNow(settings: Env, release: () => void, setsUp?: true): Promise<OpenDatabase> {
  const dataDir = settings.DATA_DIR;
  const guard = startGuard();
  try {
    const watcher = guardedBy(guard, ["SIGINT", "SIGQUIT"]);
    const isNew = findCluster(dataDir) === undefined;
    if (isNew && !setsUp) throw new Error(noDatabaseWords(dataDir));
    if (isNew) process.stderr.write(newDatabaseWords(dataDir));
    const password = secretsOf(settings, isNew).postgresPassword;
    const postgres = await startPostgres({ dataDir, password, watcher });
    return {
      url: postgres.url,
      async close() {
        await postgres.stop();
        await guard.release();
        release();
      },
    };
  } catch (error) {
    await guard.release();
    release();
    throw error;
  }
}

function noDatabaseWords(dataDir: string): string {
  return `${dataDir} has no database: give this command the DATA_DIR or DATABASE_URL of the service.`;
}

/** Whoever forgot the service's own settings is told: their account would be where no service looks for it. */
function newDatabaseWords(dataDir: string): string {
  return `${dataDir} has no database yet: this command makes a new one there. For a service that runs elsewhere give it the same DATA_DIR or DATABASE_URL.\n`;
}
