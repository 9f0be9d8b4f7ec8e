import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createEmptyDatabase } from "@/e2e/support/test-database";
import { freePort } from "@/scripts/support/free-port";

/** An Inngest server of its own, on Postgres, with keys made for it. */
export interface InngestServer {
  /** What a service needs to hand its work to it. */
  settings: { INNGEST_BASE_URL: string; INNGEST_EVENT_KEY: string; INNGEST_SIGNING_KEY: string };
  /**
   * Registers a running service, as docs/operations.md says.
   * @throws Error with the server's answer when it was refused
   */
  register(serviceUrl: string): Promise<void>;
  /** Stops it and drops what it kept. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** How often it looks for work: its own 150 ms would be waited for at each step of each test. */
const TICK_MS = 20;

/**
 * Starts the program that `INNGEST_SERVER_BIN` names, as one who hosts Inngest does: keys are required, calls are signed.
 * @throws Error with what it said, when it does not start
 */
export async function startInngestServer(binary: string): Promise<InngestServer> {
  const [database, folder] = await Promise.all([createEmptyDatabase(), mkdtemp(join(tmpdir(), "service-inngest-"))]);
  const [port, gateway, gatewayGrpc, executorGrpc] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const keys = {
    INNGEST_EVENT_KEY: randomBytes(16).toString("hex"),
    INNGEST_SIGNING_KEY: randomBytes(32).toString("hex"),
  };
  const numbers = Object.entries({
    port,
    tick: TICK_MS,
    "connect-gateway-port": gateway,
    "connect-gateway-grpc-port": gatewayGrpc,
    "connect-executor-grpc-port": executorGrpc,
  });
  const child = spawn(
    binary,
    ["start", "--host", "127.0.0.1", "--no-ui", ...numbers.flatMap(([name, value]) => [`--${name}`, String(value)])],
    {
      cwd: folder,
      env: {
        NODE_ENV: "test",
        PATH: process.env.PATH,
        HOME: folder,
        DO_NOT_TRACK: "1",
        INNGEST_POSTGRES_URI: database.url,
        ...keys,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  const hear = (data: Buffer) => {
    said = (said + data.toString()).slice(-20_000);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.on("error", hear.bind(null));
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded()) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(`${url}/health`))) {
    if (hasEnded() || Date.now() > deadline) {
      await stop();
      throw new Error(`The Inngest server did not start:\n${said}`);
    }
    await delay(POLL_MS);
  }
  return {
    settings: { INNGEST_BASE_URL: url, ...keys },
    register: async (serviceUrl) => {
      const response = await fetch(`${serviceUrl}/api/inngest`, { method: "PUT" });
      if (!response.ok)
        throw new Error(`The service was not registered: ${response.status} ${await response.text()}\n${said}`);
    },
    stop,
  };
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}
