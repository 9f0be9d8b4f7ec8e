import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const TICK_MS = 200;
const LOG_TICK_MS = 30_000;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Runs a program with a progress line on standard error; shows its output only when it fails.
 * @param {{ label: string, done: string, file: string, args: string[], cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>}
 * @throws Error with the last output when the program fails.
 */
export async function runQuietly({ label, done, file, args, cwd, env }) {
  const progress = startProgress(label);
  const output = [];
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: file.endsWith(".cmd") });
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  const letGo = guardStep(child.pid);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      output.push(Buffer.from(error.code === "ENOENT" ? `${file} was not found on the PATH.` : error.message));
      resolve(1);
    });
    child.once("close", (exitCode, signal) => {
      if (signal !== null) output.push(Buffer.from(`\n${wordsOfSignal(signal)}`));
      resolve(exitCode ?? 1);
    });
  });
  process.removeListener("exit", stop);
  letGo();
  progress.end(code === 0 ? done : `${label}: failed`);
  if (code !== 0)
    throw new Error(Buffer.concat(output).toString("utf8").trimEnd() || `${file} ended with code ${code}.`);
}

/** @param {NodeJS.Signals} signal */
function wordsOfSignal(signal) {
  const ended = `It was ended by ${signal}.`;
  // Nobody is asked, and nothing else is said of it.
  return signal === "SIGKILL" ? `${ended} So a system does where memory runs out: add memory or swap.` : ended;
}

/**
 * Ends the program also where this process is killed: a build or an install that went on alone would be in the next start's way.
 * @param {number | undefined} pid
 * @returns {() => void} for when it has ended
 */
function guardStep(pid) {
  if (pid === undefined) return () => {};
  const script = fileURLToPath(new URL("./guard-process.mjs", import.meta.url));
  const guard = spawn(process.execPath, [script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without a guard the step is as good as before.
  guard.on("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  guard.stdin.write(`${JSON.stringify({ add: { pid, signals: ["SIGTERM"] } })}\n`);
  return () => guard.stdin.end(`${JSON.stringify({ remove: pid })}\n`);
}

/**
 * A line that shows that something goes on: rewritten in a terminal, repeated now and then elsewhere.
 * @param {string} label
 * @returns {{ end(line?: string): number }}
 */
export function startProgress(label) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const isTerminal = process.stderr.isTTY === true;
  let frame = 0;
  const show = () => {
    if (isTerminal) process.stderr.write(`\r\x1b[K${FRAMES[frame++ % FRAMES.length]} ${label} … ${seconds()} s`);
    else process.stderr.write(`${label} … ${seconds()} s\n`);
  };
  if (isTerminal) show();
  else process.stderr.write(`${label} …\n`);
  const timer = setInterval(show, isTerminal ? TICK_MS : LOG_TICK_MS);
  return {
    end(line) {
      clearInterval(timer);
      if (isTerminal) process.stderr.write("\r\x1b[K");
      if (line !== undefined) process.stderr.write(`${line} (${seconds()} s)\n`);
      return seconds();
    },
  };
}
