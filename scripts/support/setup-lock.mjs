import { linkSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 250;
const HEARTBEAT_MS = 1_000;
const ABANDONED_AFTER_MS = 20_000;

/**
 * Runs `work` while no other process of this checkout installs anything; waits for the other one.
 * @template T
 * @param {string} path of the lock file
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withSetupLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  let hasSaid = false;
  while (!takeLock(path)) {
    if (!hasSaid) process.stderr.write("Another command is installing; waiting for it …\n");
    hasSaid = true;
    await delay(POLL_MS);
  }
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.removeListener("exit", release);
    release();
  }
}

/** A link appears with its content or not at all, and only once. */
function takeLock(path) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch {
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A living holder touches its lock; process ids alone are given out again, most of all in containers. */
function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER_MS) return true;
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
