import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { BenchmarkRun } from "@/bench/support/benchmark";

export interface Program {
  args: string[];
  env: Record<string, string>;
  /** Answers with 200 when the program can be used. */
  readyUrl: string;
  timeoutMs: number;
}

const POLL_MS = 100;
const KEPT_OUTPUT = 4_000;

/**
 * Starts a Node program that is no part of the service, with these variables and no others; it ends with the run.
 * @returns its process
 * @throws Error with the last that it said when it does not come up
 */
export async function startProgram(
  run: BenchmarkRun,
  { args, env, readyUrl, timeoutMs }: Program,
): Promise<{ pid: number }> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output.on("data", (data: Buffer) => {
      said = (said + data.toString()).slice(-KEPT_OUTPUT);
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  run.onEnd(async () => {
    if (hasEnded()) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  const deadline = Date.now() + timeoutMs;
  while (!(await isReady(readyUrl))) {
    if (hasEnded() || Date.now() > deadline) throw new Error(`${args[0]} did not come up:\n${said}`);
    await delay(POLL_MS);
  }
  return { pid: child.pid ?? 0 };
}

function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}
