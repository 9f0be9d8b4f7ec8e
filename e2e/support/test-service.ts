import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@/scripts/support/free-port";
import { SERVER_FLAGS } from "@/scripts/support/server-flags";

/** A server process of its own, on the built application, as `npm start` runs it. */
export interface TestService {
  /** {host_url} */
  url: string;
  port: number;
  dataDir: string;
  /** What its process was given: for services that a test runs beside it, and for a second server. */
  variables: Record<string, string>;
  pid(): number;
  /** Everything that it wrote to its error output so far. */
  log(): string;
  /** kill -9; it stays down. */
  kill(): Promise<void>;
  /** Starts it again on the same port, database and files. */
  start(): Promise<void>;
  /** A graceful stop. @returns the exit code; null when it was not running, or had to be killed */
  stop(): Promise<number | null>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

export interface TestServiceOptions {
  databaseUrl: string;
  modelUrl: string;
  /** Trusted when connecting to receivers; hosts `localhost` and 127.0.0.1 are let through. */
  caPem?: string;
  /** Further settings. */
  settings?: Record<string, string>;
}

/** Bound for what hangs: on a busy machine a start takes as long as it takes. */
const START_TIMEOUT_MS = 120_000;

/** Starts a server; the application must have been built. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), "service-data-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const caFile = join(dataDir, "receiver-ca.pem");
  await mkdir(dataDir, { recursive: true });
  if (options.caPem) await writeFile(caFile, options.caPem);
  const variables: Record<string, string> = {
    DATABASE_URL: options.databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    APP_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    AUTH_SECRET: randomBytes(32).toString("base64"),
    OPENAI_BASE_URL: options.modelUrl,
    OPENAI_API_KEY: "test",
    OUTBOUND_ALLOWED_HOSTS: "localhost,127.0.0.1",
    ...(options.caPem && { OUTBOUND_EXTRA_CA_FILE: caFile }),
    MODEL_RETRY_DELAYS_SECONDS: "1,1",
    MODEL_IDLE_TIMEOUT_SECONDS: "2",
    RUNNER_LEASE_SECONDS: "3",
    ...options.settings,
  };
  let child: ChildProcess | null = null;
  let log = "";

  const start = async () => {
    child = spawn(
      process.execPath,
      [...SERVER_FLAGS, resolve("scripts/serve.ts"), JSON.stringify({ host: "127.0.0.1", port, isDevelopment: false })],
      {
        env: { ...cleanEnvironment(), ...variables, NODE_ENV: "production" },
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      },
    );
    child.stderr?.on("data", (data: Buffer) => {
      log += data.toString();
    });
    await Promise.race([
      waitUntilHealthy(url),
      once(child, "exit").then(() => Promise.reject(new Error(`The server ended at its start:\n${log}`))),
    ]);
  };
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return null;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
    return running.exitCode;
  };
  await start();
  return {
    url,
    port,
    dataDir,
    variables,
    pid: () => child?.pid ?? 0,
    log: () => log,
    kill: async () => {
      await end("SIGKILL");
    },
    start,
    stop: () => end("SIGTERM"),
    close: async () => {
      await end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Settings of the test run itself must not reach the server. */
function cleanEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, NEXT_DIST_DIR, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, HOME, TMPDIR, NEXT_DIST_DIR, NODE_EXTRA_CA_CERTS, NEXT_TELEMETRY_DISABLED: "1" };
}

async function waitUntilHealthy(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const isUp = await fetch(`${url}/api/v1/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > deadline) throw new Error(`The server was not up within ${START_TIMEOUT_MS} ms.`);
    await new Promise((wait) => setTimeout(wait, 50));
  }
}
