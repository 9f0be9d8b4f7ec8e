import { linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readJson, writePrivateJson } from "@/scripts/support/private-file";
import { isRunning, ownIdentity, type ProcessIdentity } from "@/scripts/support/process-identity";

/** Who uses a data directory: the service, or an operator command that started Postgres for a moment. */
export interface LockHolder extends ProcessIdentity {
  purpose: "service" | "admin";
  /** It was told to stop, and will give the directory back. */
  isStopping?: boolean;
}

/** A data directory that is held. */
export interface ServiceLock {
  release(): void;
  /** Lets whoever comes next wait for the release, as after a restart by a supervisor that knows npm's process alone. */
  leave(): void;
}

const POLL_MS = 100;
const FILE_NAME = "service.lock";

/**
 * Takes the data directory for this process; a dead holder's lock is taken over. Commands that hold it for a moment are waited
 * for, and so is a service that stops.
 * @param waitMs how long to wait for these
 * @returns what gives it back, or the living holder that keeps it
 */
export async function acquireLock(
  dataDir: string,
  purpose: LockHolder["purpose"],
  waitMs: number,
): Promise<ServiceLock | { holder: LockHolder }> {
  const path = join(dataDir, FILE_NAME);
  const own: LockHolder = { ...ownIdentity(), purpose };
  const deadline = Date.now() + waitMs;
  while (true) {
    if (tryLink(path, own)) {
      const leave = () => writePrivateJson(path, { ...own, isStopping: true } satisfies LockHolder);
      return { release: () => removeLock(path, own), leave };
    }
    const holder = readLock(path);
    if (holder && isRunning(holder)) {
      const endsSoon = holder.purpose === "admin" || holder.isStopping === true;
      if (!endsSoon || Date.now() > deadline) return { holder };
      await delay(POLL_MS);
    } else {
      removeLock(path, holder);
    }
  }
}

/** Who holds a data directory now; undefined when nobody does, or the holder is gone. */
export function livingHolder(dataDir: string): LockHolder | undefined {
  const holder = readLock(join(dataDir, FILE_NAME));
  return holder && isRunning(holder) ? holder : undefined;
}

/** A link appears with its content or not at all, and only once. */
function tryLink(path: string, own: LockHolder): boolean {
  const draft = `${path}.${own.pid}`;
  writePrivateJson(draft, own);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes the lock away by renaming, then looks at what it got: somebody else may have locked in between. */
function removeLock(path: string, expected: LockHolder | undefined): void {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const taken = readLock(aside);
  if (taken && taken.pid !== expected?.pid && isRunning(taken)) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process was quicker; it will find out in the same way.
    }
  }
  rmSync(aside, { force: true });
}

function readLock(path: string): LockHolder | undefined {
  try {
    return readJson<LockHolder>(path);
  } catch {
    return undefined;
  }
}
