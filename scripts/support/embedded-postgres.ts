import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { markCluster, readClusterMemory, writeClusterMemory } from "@/scripts/support/cluster-place";
import { freePort } from "@/scripts/support/free-port";
import type { ProcessWatcher } from "@/scripts/support/guard";
import { endPostgres, isServerReady, noteStamp, stopLeftover } from "@/scripts/support/leftover-postgres";
import { IS_WINDOWS, OUT_OF_REACH } from "@/scripts/support/own-session";
import { createCluster } from "@/scripts/support/postgres-cluster";
import { findPostgresPlace, giveToOwnUser, type PostgresPlace } from "@/scripts/support/postgres-place";

/** A running Postgres whose data lies in a data directory. */
export interface RunningPostgres {
  /** Of the service's database, which exists. */
  url: string;
  pid: number;
  /** What the person at the terminal should know. */
  note: string | undefined;
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Absolute; exists. */
  dataDir: string;
  password: string;
  /** For tests: nothing waits for the disk. */
  isThrowaway?: boolean;
  watcher?: ProcessWatcher;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 15;
const MAX_PORTS = 3;
/** Postgres' last word where another program listens. */
const PORT_TAKEN = "could not create any TCP/IP sockets";
const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** For tests: nothing outlives the run, and each test file has pools of its own. */
const THROWAWAY_SETTINGS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: 400 };
/** What the system allows for the path of a socket, macOS less than Linux, without its name. */
const MAX_SOCKET_DIRECTORY_BYTES = (process.platform === "linux" ? 107 : 103) - "/.s.PGSQL.65535".length;

/**
 * Starts the Postgres of a data directory: makes the cluster at the first time, stops one that a killed start
 * left running, and picks the port of last time when it is free.
 * @throws Error with Postgres' own last words when it does not start, or that says why its data cannot be used
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir } = options;
  const place = await findPostgresPlace(dataDir);
  await stopLeftover(place.clusterDir, dataDir);
  if (!existsSync(place.clusterDir)) await createCluster(place, options.password, options.watcher);
  else giveToOwnUser(place);
  markCluster(place.clusterDir, dataDir);
  const { port, child } = await launchOnFreePort(place, options);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const pid = child.pid ?? 0;
  return {
    url: urlOf(place, port, options.password),
    pid,
    note: place.note,
    exited,
    stop: () => endPostgres(pid, place.pgCtl),
  };
}

/** By its socket where there is one: a query takes a third less time than over loopback, which every query pays. */
function urlOf(place: PostgresPlace, port: number, password: string): string {
  const url = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/service`;
  const socket = socketDirectory(place);
  return socket === "" ? url : `${url}?host=${encodeURIComponent(socket)}`;
}

/** The cluster's own directory, which only its user and root enter; "" where its path cannot be one of a socket. */
function socketDirectory({ clusterDir }: PostgresPlace): string {
  const isUsable = /^\/[\w./-]+$/.test(clusterDir) && clusterDir.length <= MAX_SOCKET_DIRECTORY_BYTES;
  return isUsable ? clusterDir : "";
}

/** The port of last time, or another where that is taken, also only now: a copy that is started beside it remembers the same. */
async function launchOnFreePort(place: PostgresPlace, options: PostgresOptions) {
  for (let tries = 1; ; tries++) {
    const port = await freePort(tries === 1 ? readClusterMemory(options.dataDir)?.port : undefined);
    writeClusterMemory(options.dataDir, { port, clusterDir: place.clusterDir });
    try {
      return { port, child: await launch(place, port, options) };
    } catch (error) {
      if (tries === MAX_PORTS || !(error as Error).message.includes(PORT_TAKEN)) throw error;
    }
  }
}

async function launch(place: PostgresPlace, port: number, options: PostgresOptions): Promise<ChildProcess> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (true) {
    const logPath = join(options.dataDir, "postgres.log");
    const written = existsSync(logPath) ? statSync(logPath).size : 0;
    const before = noteStamp(place.clusterDir);
    const child = spawnServer(place, port, logPath, options.isThrowaway ?? false);
    watch(child, options.watcher);
    if (await isReady(child, () => isServerReady(place.clusterDir, child.pid, before), deadline)) return child;
    const words = lastLines(logPath, written);
    // Children of a killed server let go of the shared memory a moment later; a note's number may just have come again.
    const isHeldForAMoment =
      /shared memory block|lock file ".*" already exists/.test(words) && performance.now() < deadline;
    if (!isHeldForAMoment) throw new Error(`Postgres did not start. Its last words (${logPath}):\n${words}`);
    await delay(200);
    await stopLeftover(place.clusterDir, options.dataDir);
  }
}

/** Ctrl-C reaches the service and not its database; the guard ends it if need be. */
function spawnServer(place: PostgresPlace, port: number, logPath: string, isThrowaway: boolean): ChildProcess {
  const isLogLarge = existsSync(logPath) && statSync(logPath).size > MAX_LOG_BYTES;
  const log = openSync(logPath, isLogLarge ? "w" : "a", 0o600);
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: socketDirectory(place),
    max_connections: 200,
    shared_buffers: "256MB",
    max_wal_size: "2GB",
    wal_compression: "on",
    max_parallel_workers: Math.max(2, cpus().length),
    random_page_cost: 1.1,
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    log_min_messages: "warning",
    ...(isThrowaway ? THROWAWAY_SETTINGS : {}),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(place.postgres, ["-D", place.clusterDir, ...flags], {
    ...place.user,
    cwd: place.clusterDir,
    ...OUT_OF_REACH,
    env: { NODE_ENV: "production", PATH: process.env.PATH, LC_ALL: "C" },
    stdio: IS_WINDOWS ? ["ignore", "pipe", "pipe"] : ["ignore", log, log],
  });
  closeSync(log);
  for (const words of [child.stdout, child.stderr])
    words?.on("data", (chunk: Buffer) => appendFileSync(logPath, chunk));
  return child;
}

function watch(child: ChildProcess, watcher: ProcessWatcher | undefined): void {
  const { pid } = child;
  if (pid === undefined || !watcher) return;
  watcher.onStart(pid);
  child.once("exit", () => watcher.onEnd(pid));
}

async function isReady(child: ChildProcess, saysSo: () => boolean, deadline: number): Promise<boolean> {
  let hasEnded = false;
  // With all that it said, wherever that goes.
  child.once("close", () => {
    hasEnded = true;
  });
  child.once("error", () => {
    hasEnded = true;
  });
  while (!hasEnded && performance.now() < deadline) {
    if (saysSo()) return true;
    await delay(POLL_MS);
  }
  if (!hasEnded) child.kill("SIGQUIT");
  return false;
}

/** What was written behind `from` bytes; a log that grew too large began anew. */
function lastLines(path: string, from: number): string {
  if (!existsSync(path)) return "";
  const log = readFileSync(path);
  const own = log.subarray(log.length < from ? 0 : from).toString("utf8");
  return own.trimEnd().split("\n").slice(-8).join("\n");
}
