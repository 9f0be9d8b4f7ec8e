import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { newWebhookSecret, signatureHeaders } from "@/lib/domain/webhook-signature";
import { parseEnv } from "@/lib/env";
import { createEgressClient, type EgressClient } from "@/lib/net/egress-client";
import { developmentSettings } from "@/scripts/support/development-settings";

/** A whole process that starts: on a busy machine it takes its time. */
const PROCESS_TIMEOUT_MS = 60_000;
const BODY = '{"type":"completion","sessionId":"ses_1","endUserId":null,"output":"Ça marche."}';
const [SECRET, OTHER] = [newWebhookSecret(), newWebhookSecret()];

interface Listening {
  url: string;
  /** Everything that it has printed. */
  output(): string;
  /** Waits until it has printed that. */
  until(pattern: RegExp): Promise<void>;
  egress: EgressClient;
}

const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Runs the command, and a client that trusts what it made, as the service does. */
async function listen(...args: string[]): Promise<Listening> {
  const dataDir = mkdtempSync(join(tmpdir(), "service-listen-"));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const child = run(dataDir, "--port", "0", ...args);
  let output = "";
  child.stdout?.on("data", (data) => {
    output += data;
  });
  const until = async (pattern: RegExp) => {
    while (!pattern.test(output)) await once(child.stdout ?? child, "data");
  };
  stops.push(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect((await ended)[0], "it stops in order").toBe(0);
  });
  await until(/OUTBOUND_EXTRA_CA_FILE=.+\n/);
  const caFile = /OUTBOUND_EXTRA_CA_FILE=(.+)/.exec(output)?.[1] ?? "";
  const egress = createEgressClient({
    timeoutMs: 10_000,
    allowedHosts: ["localhost"],
    extraCa: readFileSync(caFile, "utf8"),
  });
  stops.push(() => egress.close());
  return { url: /Listening on (\S+)/.exec(output)?.[1] ?? "", output: () => output, until, egress };
}

function run(dataDir: string, ...args: string[]): ChildProcess {
  const { PATH, HOME } = process.env;
  return spawn(process.execPath, ["--import", "tsx", "scripts/webhooks-listen.ts", ...args], {
    env: { PATH, HOME, NODE_ENV: "production", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function signed(
  secrets: readonly [string, ...string[]],
  body = BODY,
  deliveryUuid: string = randomUUID(),
  at = new Date(),
) {
  const bytes = Buffer.from(body);
  const headers = {
    ...signatureHeaders({ deliveryUuid, body: bytes, secrets, sentAt: at }),
    "X-Service-Event": "completion",
    "X-Service-Delivery": deliveryUuid,
  };
  return { headers, body: bytes };
}

async function status(answer: ReturnType<EgressClient["post"]>): Promise<unknown> {
  const result = await answer;
  return "status" in result ? result.status : result.error;
}

describe("npm run webhooks:listen", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it("shows a delivery that it trusts: event, ids, try, verdicts, body", async () => {
    const { url, egress, until, output } = await listen("--secret", `${OTHER},${SECRET}`);
    const delivery = signed([SECRET]);
    expect(await status(egress.post(url, delivery))).toBe(204);
    expect(await status(egress.post(url, delivery))).toBe(204);
    await until(/attempt +2\n[\s\S]*"output": "Ça marche\."/);
    expect(output()).toContain(`delivery             ${delivery.headers["X-Service-Delivery"]}`);
    expect(output()).toContain("session              ses_1");
    await until(/X-Service-Signature +right\n +webhook-signature +right\n +answered +204/);
  });

  it("refuses a changed body, another secret and a replay, and says which signature is wrong", async () => {
    const { url, egress, until } = await listen("--secret", SECRET);
    const right = signed([SECRET]);
    expect(await status(egress.post(url, { ...right, body: Buffer.from(`${BODY} `) }))).toBe(401);
    await until(/X-Service-Signature +wrong\n +webhook-signature +wrong/);
    expect(await status(egress.post(url, signed([OTHER, SECRET])))).toBe(401);
    await until(/X-Service-Signature +wrong\n +webhook-signature +right/);
    const old = new Date(Date.now() - 3_600_000);
    expect(await status(egress.post(url, signed([SECRET], BODY, randomUUID(), old)))).toBe(401);
    await until(/webhook-signature +too old/);
    expect(await status(egress.post(url, { headers: {}, body: Buffer.from("{") }))).toBe(401);
    await until(/X-Service-Signature +missing\n +webhook-signature +missing/);
  });

  it("plays a bad receiver, and does not say of an answer that is still to come that it was given", async () => {
    const { url, egress, until, output } = await listen("--status", "500", "--delay", "1");
    const startedAt = performance.now();
    expect(await status(egress.post(url, signed([SECRET])))).toBe(500);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    await until(/Signatures are not checked/);
    await until(/X-Service-Signature +unchecked/);
    await until(/will be answered +500 in 1 s\n/);
    expect(output()).not.toMatch(/^ +answered/m);
  });

  it("lets no sender drive the terminal", async () => {
    const { url, egress, until, output } = await listen();
    const { headers } = signed([SECRET]);
    await egress.post(url, { headers, body: Buffer.from('\u001b[2Jgone {"a":1}') });
    await until(/\ufffd\[2Jgone/);
    expect(output()).not.toContain("\u001b");
    // JSON escapes those below the space alone.
    await egress.post(url, { headers, body: Buffer.from('{"a":"\u009b2Jwhole"}') });
    await until(/whole/);
    expect(output()).not.toContain("\u009b");
  });

  it("ends without a word when nobody reads what it prints any more", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "service-listen-"));
    stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const child = run(dataDir, "--port", "0");
    child.stdout?.destroy();
    let errors = "";
    child.stderr?.on("data", (data) => {
      errors += data;
    });
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(errors).toBe("");
  });

  it.each([
    [["--secret", "hunter2"], "--secret must begin with whsec_"],
    [["--status", "99"], "--status must be a whole number from 200 to 599"],
    [["--colour", "red"], "--colour"],
  ])("says what is wrong with %j", async (args, words) => {
    const child = run(tmpdir(), ...args);
    let errors = "";
    child.stderr?.on("data", (data) => {
      errors += data;
    });
    expect((await once(child, "close"))[0]).toBe(1);
    expect(errors).toContain(words);
    expect(errors).toContain("Usage: npm run webhooks:listen");
  });

  it.each(["--help", "-h"])("says how it is used when it is asked by %s", async (flag) => {
    const child = run(tmpdir(), flag);
    let output = "";
    child.stdout?.on("data", (data) => {
      output += data;
    });
    expect((await once(child, "close"))[0]).toBe(0);
    expect(output).toMatch(/^Usage: npm run webhooks:listen .*\n$/);
  });
});

describe("npm run dev", () => {
  const hostsFor = (variables: Record<string, string>) => {
    const before = process.env.OUTBOUND_ALLOWED_HOSTS;
    try {
      return developmentSettings(parseEnv(variables)).OUTBOUND_ALLOWED_HOSTS;
    } finally {
      if (before === undefined) delete process.env.OUTBOUND_ALLOWED_HOSTS;
      else process.env.OUTBOUND_ALLOWED_HOSTS = before;
    }
  };

  it("lets receivers on this machine through", () => {
    expect(hostsFor({})).toEqual(["localhost"]);
  });

  it("does not while other machines reach the service, nor against the reader's own list", () => {
    expect(hostsFor({ HOST: "0.0.0.0" })).toEqual([]);
    expect(hostsFor({ OUTBOUND_ALLOWED_HOSTS: "receiver.example" })).toEqual(["receiver.example"]);
  });
});
