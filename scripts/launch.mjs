#!/usr/bin/env node
/**
 * The door of every npm command: makes sure of a new enough Node, the dependencies and the database client,
 * then hands over to `scripts/<command>.ts`. Plain JavaScript without dependencies, for Node 20 and newer.
 * Everything it says goes to standard error: standard output belongs to the command.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const COMMANDS = ["start", "dev", "test", "demo", "admin", "bench", "webhooks-listen"];
const OLDEST_LAUNCHER_NODE = 20;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT_CHECK_MS = 1_000;
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const [command, ...args] = process.argv.slice(2);

if (!COMMANDS.includes(command ?? "")) fail(`Usage: npm run <${COMMANDS.join("|")}> [-- arguments]`);
if (Number(process.versions.node.split(".")[0]) < OLDEST_LAUNCHER_NODE) {
  fail(
    `Node ${process.versions.node} is too old: install Node ${OLDEST_LAUNCHER_NODE} or newer from https://nodejs.org.`,
  );
}
process.chdir(ROOT);
// So that what a step started ends with it.
const leave = () => process.exit(130);
for (const signal of SIGNALS) process.once(signal, leave);
let onParentGone = leave;
watchParent(() => onParentGone());
try {
  const { prepare } = await import("./support/prepare.mjs");
  handOver(await prepare(ROOT));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

/**
 * Runs the command with the given Node as this process's stand-in: same terminal, same exit code.
 * The command learns over its channel when this process is gone, however it went.
 */
function handOver({ node, env }) {
  const script = resolve(ROOT, "scripts", `${command}.ts`);
  if (!existsSync(script)) fail(`${script} is missing: the checkout is not complete.`);
  const child = spawn(node, ["--import", import.meta.resolve("tsx"), script, ...args], {
    env,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of SIGNALS) {
    process.removeListener(signal, leave);
    // On Windows the console has told the command already, and a signal from here would end it at once.
    process.on(signal, () => process.platform === "win32" || child.kill(signal));
  }
  onParentGone = () => child.kill("SIGTERM");
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/**
 * Under npm, parents that change mean that npm was killed: nobody is left to stop the command. Between npm and this
 * process there may be a shell, which waits on when npm is gone, so its parent counts too.
 */
function watchParent(onGone) {
  if (!process.env.npm_lifecycle_event || process.ppid === 1) return;
  const parents = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const atStart = parents();
  const timer = setInterval(() => {
    if (parents() === atStart) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  timer.unref();
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  } catch {
    return "";
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
