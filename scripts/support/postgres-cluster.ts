import { spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessWatcher } from "@/scripts/support/guard";
import { IS_WINDOWS } from "@/scripts/support/own-session";
import { makeOwnDirectory, type PostgresPlace } from "@/scripts/support/postgres-place";
import { writePrivateFile } from "@/scripts/support/private-file";

const LOCALE_FLAGS = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
const DRAFT_PREFIX = "postgres-draft-";
const RENAME_TIMEOUT_MS = 20_000;
const RENAME_POLL_MS = 200;

/**
 * Makes the database files. Built aside and renamed when whole: a killed start leaves no half cluster in its place.
 * @param watcher told of the program that makes them, which takes seconds: it ends with a start that is stopped
 * @throws Error with initdb's words, or that names the file beside it that has no room
 */
export async function createCluster(place: PostgresPlace, password: string, watcher?: ProcessWatcher): Promise<void> {
  const parent = dirname(place.clusterDir);
  for (const name of readdirSync(parent)) {
    if (name.startsWith(DRAFT_PREFIX)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const draft = join(parent, `${DRAFT_PREFIX}${process.pid}`);
  const passwordFile = `${draft}.password`;
  try {
    makeOwnDirectory(draft, place);
    writePrivateFile(passwordFile, password);
    if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
    await runInitdb(place, parent, [`--pgdata=${draft}`, `--pwfile=${passwordFile}`], watcher);
    await renameSoon(draft, place.clusterDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** On Windows nobody moves a folder while a virus scanner looks at what is new in it. */
async function renameSoon(from: string, to: string): Promise<void> {
  const deadline = performance.now() + RENAME_TIMEOUT_MS;
  while (true) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!IS_WINDOWS || performance.now() > deadline) throw error;
      await delay(RENAME_POLL_MS);
    }
  }
}

async function runInitdb(
  place: PostgresPlace,
  cwd: string,
  flags: string[],
  watcher: ProcessWatcher | undefined,
): Promise<void> {
  const child = spawn(place.initdb, [...flags, "--username=postgres", "--auth=scram-sha-256", ...LOCALE_FLAGS], {
    ...place.user,
    cwd,
    env: { NODE_ENV: "production", PATH: process.env.PATH, LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { pid } = child;
  if (pid !== undefined) watcher?.onStart(pid);
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString("utf8");
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, place.initdb)));
    child.once("close", resolve);
  }).finally(() => pid !== undefined && watcher?.onEnd(pid));
  if (code !== 0) throw new Error(`Postgres could not make its database files: ${words.trim()}`);
}

/** The programs are there: what the system then does not find is the library that they are made for. */
function explain(error: NodeJS.ErrnoException, program: string): Error {
  if (error.code !== "ENOENT" || !existsSync(program)) return error;
  const why = "this system lacks the library (glibc) that it is made for, as Alpine does";
  return new Error(`The embedded Postgres cannot run here: ${why}. Set DATABASE_URL to a Postgres of yours.`);
}
