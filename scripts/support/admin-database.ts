import { setTimeout as delay } from "node:timers/promises";
import type { Env } from "@/lib/env";
import { findCluster } from "@/scripts/support/cluster-place";
import { loadSecrets, openDataDir, type RuntimeNote, readRuntimeNote } from "@/scripts/support/data-dir";
import { startPostgres } from "@/scripts/support/embedded-postgres";
import { guardedBy, startGuard } from "@/scripts/support/guard";
import { refuseUnseenHolder } from "@/scripts/support/leftover-postgres";
import { migrate } from "@/scripts/support/migrate";
import { acquireLock } from "@/scripts/support/service-lock";
import { serviceVariables } from "@/scripts/support/service-settings";

const WAIT_MS = 60_000;
const POLL_MS = 100;

/**
 * Runs `work` with the service's settings and database in `process.env`: the database of the settings, else that of
 * the running service, else the data directory's own Postgres, started for the moment.
 */
export async function withDatabase<T>(settings: Env, work: () => Promise<T>): Promise<T> {
  openDataDir(settings.DATA_DIR);
  const database = settings.DATABASE_URL
    ? openGiven(settings.DATA_DIR, settings.DATABASE_URL)
    : await findRunning(settings.DATA_DIR);
  try {
    await migrate(database.url);
    Object.assign(process.env, serviceVariables(settings, loadSecrets(settings.DATA_DIR), database.url));
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

async function findRunning(dataDir: string): Promise<OpenDatabase> {
  await refuseUnseenHolder(dataDir);
  const deadline = Date.now() + WAIT_MS;
  while (true) {
    const lock = await acquireLock(dataDir, "admin", WAIT_MS);
    if ("release" in lock) return startForNow(dataDir, lock.release);
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

async function startForNow(dataDir: string, release: () => void): Promise<OpenDatabase> {
  const guard = startGuard();
  try {
    const watcher = guardedBy(guard, ["SIGINT", "SIGQUIT"]);
    if (findCluster(dataDir) === undefined) process.stderr.write(newDatabaseWords(dataDir));
    const postgres = await startPostgres({ dataDir, password: loadSecrets(dataDir).postgresPassword, watcher });
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

/** Whoever forgot the service's own settings is told: their account would be where no service looks for it. */
function newDatabaseWords(dataDir: string): string {
  return `${dataDir} has no database yet: this command makes a new one there. For a service that runs elsewhere give it the same DATA_DIR or DATABASE_URL.\n`;
}
