import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isSameFolder, ownerOfCluster } from "@/scripts/support/cluster-place";
import { commandLineOf, isPidAlive } from "@/scripts/support/process-identity";
import { livingHolder } from "@/scripts/support/service-lock";

const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 15;

/**
 * Ends a server that a killed start left behind; takes a note away that names somebody else's process.
 * @throws Error when the server serves a service that runs on another data directory
 */
export async function stopLeftover(clusterDir: string, dataDir: string): Promise<void> {
  const pid = Number(pidFileLines(clusterDir)[0]);
  if (!pid || !isPidAlive(pid)) return;
  if (!isServerOf(pid, clusterDir)) return rmSync(join(clusterDir, "postmaster.pid"), { force: true });
  const owner = ownerOfCluster(clusterDir);
  if (owner !== undefined && !isSameFolder(owner, dataDir)) {
    const holder = livingHolder(owner);
    if (holder) {
      throw new Error(
        `The database in ${clusterDir} is in use by the service on ${owner} (process ${holder.pid}): stop that first.`,
      );
    }
  }
  return endPostgres(pid);
}

/** Ends a server in order: fast, then at once. */
export async function endPostgres(pid: number): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (isPidAlive(pid) && Date.now() < deadline) await delay(POLL_MS);
    if (!isPidAlive(pid)) return;
  }
}

/** The lines of a cluster's note about its server; none when there is no note. */
export function pidFileLines(clusterDir: string): string[] {
  try {
    return readFileSync(join(clusterDir, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

/** A copy of a folder has its note too, which names the original's server: what counts is where the server works. */
function isServerOf(pid: number, clusterDir: string): boolean {
  const commandLine = commandLineOf(pid);
  if (!commandLine.includes("postgres -D ")) return false;
  try {
    const works = statSync(`/proc/${pid}/cwd`);
    const own = statSync(clusterDir);
    return works.dev === own.dev && works.ino === own.ino;
  } catch {
    // Not every system tells; it was started with the path, and more words behind.
    return commandLine.includes(` -D ${clusterDir} `);
  }
}
