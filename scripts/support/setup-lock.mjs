import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 250;
const HEARTBEAT_MS = 1_000;
const ABANDONED_AFTER_MS = 20_000;

/**
 * Runs `work` while no other process of this checkout does the same; waits for the other one.
 * @template T
 * @param {string} path of the lock file
 * @param {() => T | Promise<T>} work
 * @param {string} doing what is said of the other one
 * @returns {Promise<T>}
 */
export async function withSetupLock(path, work, doing = "installing") {
  mkdirSync(dirname(path), { recursive: true });
  let hasSaid = false;
  while (!takeLock(path)) {
    if (!hasSaid) process.stderr.write(`Another command is ${doing}; waiting for it …\n`);
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

/** One of many makes the file. Without a link: not every file system has them. */
function takeLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

/**
 * A living holder touches its lock; process ids alone are given out again, most of all in containers. One that has not written its
 * number yet counts as 0, which is alive.
 */
function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER_MS) return true;
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
