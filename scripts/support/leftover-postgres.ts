import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findCluster, isSameFolder, ownerOfCluster } from "@/scripts/support/cluster-place";
import { IS_WINDOWS } from "@/scripts/support/own-session";
import { commandLineOf, isPidAlive, workingFolderOf } from "@/scripts/support/process-identity";
import { livingHolder } from "@/scripts/support/service-lock";

const PID_FILE = "postmaster.pid";
/** Postgres' line in its note once it takes connections. */
const READY_LINE = 7;
const SOCKET = /^\.s\.PGSQL\.\d+$/;
const SOCKET_NOTE = /^\.s\.PGSQL\.\d+\.lock$/;
const UNSEEN_TIMEOUT_MS = 3_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 15;
const QUIET = { stdio: "ignore", windowsHide: true } as const;

/**
 * Ends a server that a killed start left behind; takes notes away that name somebody else's process, as after a restart
 * of the machine or of a container, where numbers come again.
 * @throws Error when the server serves a service that runs on another data directory, or is out of this process' sight
 */
export async function stopLeftover(clusterDir: string, dataDir: string): Promise<void> {
  const pid = serverOf(clusterDir);
  if (pid !== undefined) {
    refuseAnothersServer(clusterDir, dataDir);
    await endPostgres(pid);
  }
  await refuseUnseenServer(clusterDir);
  for (const note of [PID_FILE, ...namesLike(clusterDir, SOCKET_NOTE)]) {
    const named = Number(linesOf(join(clusterDir, note))[0]);
    // Of a number that is free Postgres itself finds out whether its server's children still write.
    if (named && isPidAlive(named)) rmSync(join(clusterDir, note), { force: true });
  }
}

/**
 * Refuses a data directory in whose database a server works that has no number here: one of another container on the
 * same volume. Two of them would spoil the files, and Postgres, which looks at numbers alone, would start.
 * @throws Error that says so, or that of a cluster that cannot be used
 */
export async function refuseUnseenHolder(dataDir: string): Promise<void> {
  const clusterDir = findCluster(dataDir);
  if (clusterDir !== undefined) await refuseUnseenServer(clusterDir);
}

async function refuseUnseenServer(clusterDir: string): Promise<void> {
  const deadline = performance.now() + UNSEEN_TIMEOUT_MS;
  while (serverOf(clusterDir) === undefined && (await hasListener(clusterDir))) {
    if (performance.now() > deadline) {
      throw new Error(
        `The database in ${clusterDir} is in use by a process that cannot be seen from here, as one in another container: stop that first, or run this command in there.`,
      );
    }
    // Children of a killed server keep its socket open for a moment.
    await delay(100);
  }
}

/** The number of the living server whose files these are; undefined when there is none to be seen. */
function serverOf(clusterDir: string): number | undefined {
  const pid = Number(pidFileLines(clusterDir)[0]);
  return pid && isPidAlive(pid) && isServerOf(pid, clusterDir) ? pid : undefined;
}

function refuseAnothersServer(clusterDir: string, dataDir: string): void {
  const owner = ownerOfCluster(clusterDir);
  if (owner === undefined || isSameFolder(owner, dataDir)) return;
  const holder = livingHolder(owner);
  if (!holder) return;
  throw new Error(
    `The database in ${clusterDir} is in use by the service on ${owner} (process ${holder.pid}): stop that first.`,
  );
}

/** Whether somebody listens at one of the cluster's sockets: these lead to whoever made them, seen or not. */
async function hasListener(clusterDir: string): Promise<boolean> {
  for (const name of namesLike(clusterDir, SOCKET)) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      const socket = connect(join(clusterDir, name), () => resolve(undefined));
      socket.once("error", resolve).once("close", () => resolve(undefined));
      socket.once("connect", () => socket.destroy());
    });
    // A full queue is one that somebody has.
    if (error === undefined || error.code === "EAGAIN") return true;
  }
  return false;
}

/**
 * Ends a server in order: fast, then at once.
 * @param pgCtl its program for that, where there is one: on Windows a signal ends a process at once, and this asks it
 */
export async function endPostgres(pid: number, pgCtl?: string): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    try {
      if (signal === "SIGINT" && IS_WINDOWS && pgCtl) execFileSync(pgCtl, ["kill", "INT", String(pid)], QUIET);
      else process.kill(pid, signal);
    } catch {
      if (!isPidAlive(pid)) return;
      continue;
    }
    const deadline = performance.now() + STOP_TIMEOUT_MS;
    while (isPidAlive(pid) && performance.now() < deadline) await delay(POLL_MS);
    if (!isPidAlive(pid)) return;
  }
}

/** When a cluster's note about its server was last written; undefined when there is none. */
export function noteStamp(clusterDir: string): bigint | undefined {
  return statSync(join(clusterDir, PID_FILE), { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

/**
 * Whether a server says in its note that it takes connections.
 * @param before the note's stamp before the server was started: the note of one that was killed may name the same number
 */
export function isServerReady(clusterDir: string, pid: number | undefined, before: bigint | undefined): boolean {
  const lines = pidFileLines(clusterDir);
  if (Number(lines[0]) !== pid || lines[READY_LINE]?.trim() !== "ready") return false;
  return noteStamp(clusterDir) !== before;
}

/** The lines of a cluster's note about its server; none when there is no note. */
function pidFileLines(clusterDir: string): string[] {
  return linesOf(join(clusterDir, PID_FILE));
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function namesLike(directory: string, pattern: RegExp): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => pattern.test(name)) : [];
}

/** A copy of a folder has its note too, which names the original's server: what counts is where the server works. */
function isServerOf(pid: number, clusterDir: string): boolean {
  const commandLine = commandLineOf(pid);
  if (!commandLine.includes("postgres -D ")) return false;
  try {
    const works = statSync(workingFolderOf(pid));
    const own = statSync(clusterDir);
    return works.dev === own.dev && works.ino === own.ino;
  } catch {
    // Not every system tells; it was started with the path, and more words behind.
    return commandLine.includes(` -D ${clusterDir} `);
  }
}
