import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessWatcher } from "@/scripts/support/guard";
import { OUT_OF_REACH, showWords, TO_TERMINAL } from "@/scripts/support/own-session";
import { SERVER_FLAGS } from "@/scripts/support/server-flags";

/** How to start the server process. */
export interface ServerOptions {
  host: string;
  port: number;
  isDevelopment: boolean;
  /** How long a server that was told to stop serves on. */
  stopDelaySeconds: number;
  variables: Record<string, string>;
}

/** The server, kept running: one that crashes is started again. */
export interface RunningServer {
  stop(): Promise<void>;
}

/** The port is taken; everything else that keeps a server from starting is in its own words on standard error. */
export class PortTakenError extends Error {}

/** Beyond what the server itself takes, and beyond STOP_DELAY_SECONDS. */
const STOP_TIMEOUT_MS = 12_000;
const RESTART_DELAYS_MS = [500, 1_000, 2_000, 5_000, 10_000];
/** A server that ran this long has started well; its next crash counts as the first. */
const STEADY_AFTER_MS = 60_000;

/**
 * Starts the server and resolves when it listens.
 * @throws PortTakenError, or Error when it ends before that
 */
export async function startServer(options: ServerOptions, watcher: ProcessWatcher): Promise<RunningServer> {
  let isStopping = false;
  let current = await launch(options, watcher);
  let crashes = 0;
  let startedAt = Date.now();

  const supervise = (child: ChildProcess) => {
    child.once("exit", async (code, signal) => {
      if (isStopping) return;
      crashes = Date.now() - startedAt > STEADY_AFTER_MS ? 1 : crashes + 1;
      const waitMs = RESTART_DELAYS_MS[Math.min(crashes, RESTART_DELAYS_MS.length) - 1] ?? 0;
      process.stderr.write(
        `The server ended (${signal ?? `code ${code}`}); starting it again in ${waitMs / 1000} s.\n`,
      );
      await delay(waitMs);
      if (!isStopping) await restart();
    });
  };
  const restart = async () => {
    startedAt = Date.now();
    const next = spawnServer(options, watcher);
    current = next;
    supervise(next);
    await untilListening(next).then(
      () => process.stderr.write("The server runs again.\n"),
      (error) => {
        // All else it says itself.
        if (error instanceof PortTakenError) process.stderr.write(portTakenMeanwhile(options.port));
      },
    );
  };
  supervise(current);
  return {
    async stop() {
      isStopping = true;
      await stopChild(current, options.stopDelaySeconds);
    },
  };
}

function portTakenMeanwhile(port: number): string {
  return `Another program took port ${port} meanwhile: stop it, and the server starts by itself.\n`;
}

async function launch(options: ServerOptions, watcher: ProcessWatcher): Promise<ChildProcess> {
  const child = spawnServer(options, watcher);
  await untilListening(child);
  return child;
}

function spawnServer({ host, port, isDevelopment, variables }: ServerOptions, watcher: ProcessWatcher): ChildProcess {
  const child = spawn(
    process.execPath,
    [...SERVER_FLAGS, resolve("scripts/serve.ts"), JSON.stringify({ host, port, isDevelopment })],
    {
      ...OUT_OF_REACH,
      env: { ...process.env, ...variables, NODE_ENV: isDevelopment ? "development" : "production" },
      // In production what matters is on standard error; Next's remarks on standard output are not for the operator.
      stdio: ["ignore", isDevelopment ? TO_TERMINAL : "ignore", TO_TERMINAL, "ipc"],
    },
  );
  showWords(child);
  const { pid } = child;
  if (pid !== undefined) {
    watcher.onStart(pid);
    child.once("exit", () => watcher.onEnd(pid));
  }
  return child;
}

function untilListening(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: { listening?: boolean; failed?: string }) => {
      if (message.listening) resolve(true);
      if (message.failed === "EADDRINUSE") reject(new PortTakenError());
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`The server did not start (${signal ?? `code ${code}`}).`)));
  });
}

async function stopChild(child: ChildProcess, stopDelaySeconds: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.connected) child.send("stop", () => {});
  else child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopDelaySeconds * 1_000 + STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
