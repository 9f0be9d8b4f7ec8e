/**
 * Outlives a killed start by a moment: when the pipe from its parent closes, it ends what the parent still had running.
 * Reads lines of JSON: {"add":{"pid":1,"signals":["SIGINT","SIGQUIT"]}} or {"remove":1}. Plain JavaScript: it must be light.
 */
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const GRACE_MS = 10_000;
const POLL_MS = 50;

const guarded = new Map();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const { add, remove } = JSON.parse(line);
  if (add) guarded.set(add.pid, add.signals);
  if (remove) guarded.delete(remove);
}
// The last to come goes first: the server before the database that it needs.
for (const [pid, signals] of [...guarded].reverse()) await end(pid, signals);

async function end(pid, signals) {
  for (const signal of [...signals, "SIGKILL"]) {
    if (!send(pid, signal)) return;
    const deadline = Date.now() + GRACE_MS;
    while (Date.now() < deadline) {
      if (!send(pid, 0)) return;
      await delay(POLL_MS);
    }
  }
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
