import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { prepareLocalReceivers } from "@/scripts/support/callback-receiver";
import { DEMO_STEPS } from "@/scripts/support/demo-steps";

/** A whole process that starts: on a busy machine it takes its time. */
const PROCESS_TIMEOUT_MS = 60_000;
const stops: (() => unknown)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/**
 * Runs the walk against a service that takes a chat, and does with its stream as it is told.
 * @param pid of the process that is noted as the service's
 */
async function walk(
  stream: (response: ServerResponse) => unknown,
  pid = process.pid,
): Promise<{ output: string; errors: string }> {
  const server = createServer((request, response) => {
    if (request.url === "/api/v1/health") return json(response, 200, { status: "ok", version: "1", endpoints: {} });
    if (request.url === "/api/v1/chat") return json(response, 202, { sessionId: "ses_1", status: "started" });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('id: 1\nevent: chunk\ndata: {"delta":"Half an"}\n\n', () => stream(response));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  stops.push(() => server.close().closeAllConnections());
  const dataDir = mkdtempSync(join(tmpdir(), "service-demo-"));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const note = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pid, databaseUrl: "" };
  writeFileSync(join(dataDir, "runtime.json"), JSON.stringify(note));
  writeFileSync(join(dataDir, "demo-credentials.json"), JSON.stringify({ apiKey: "bld_demo" }));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/demo.ts"], {
    env: { PATH, HOME, NODE_ENV: "production", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told = { output: "", errors: "" };
  child.stdout.on("data", (data) => {
    told.output += data;
  });
  child.stderr.on("data", (data) => {
    told.errors += data;
  });
  expect((await once(child, "close"))[0]).toBe(1);
  return told;
}

describe("npm run demo, whose service stops in the middle", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it("takes half an answer for none when the stream ends in order", async () => {
    const { output, errors } = await walk((response) => response.end("retry: 1000\n\n"));
    expect(output).toContain("Half an");
    expect(output).not.toContain("whole answer");
    expect(errors).toContain("The stream ended before the answer did: the service was stopped.");
  });

  it("says so when the connection breaks", async () => {
    const { output, errors } = await walk((response) => response.destroy());
    expect(output).not.toContain("whole answer");
    expect(errors).toContain("The service stopped in the middle: start it anew with npm start, then try again.");
  });
});

it("says at once that a service has stopped whose callback it waits for", async () => {
  const receiverDir = mkdtempSync(join(tmpdir(), "service-demo-"));
  stops.push(() => rmSync(receiverDir, { recursive: true, force: true }));
  prepareLocalReceivers(receiverDir, ["localhost"]);
  const stopped = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  const client = {
    call: async (method: string) => {
      if (method === "GET") throw stopped;
      return { status: 202, body: { sessionId: "ses_1" } as never, milliseconds: 1 };
    },
    open: () => Promise.reject(stopped),
  };
  const step = DEMO_STEPS.find(({ title }) => title.includes("callback"));
  await expect(step?.run({ client, receiverDir, say: () => {}, write: () => {} })).rejects.toBe(stopped);
});

it("takes no other service for that of its directory, which was killed", { timeout: PROCESS_TIMEOUT_MS }, async () => {
  const killed = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(killed, "exit");
  const { errors } = await walk((response) => response.end(), killed.pid);
  expect(errors).toContain("The service does not run: start it with npm start in another terminal");
});
