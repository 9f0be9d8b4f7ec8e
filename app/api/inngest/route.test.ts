import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { canonicalJson, signBody } from "@/inngest/embedded/sign-request";

const SIGNING_KEY = "signkey-test-0123456789abcdef0123456789abcdef";
const SIGNING_KEY_BEFORE = "signkey-test-00112233445566778899aabbccddeeff";

/** In the place of an engine: keeps what is registered with it. */
let engine: Server;
const registered: { url: string }[] = [];

beforeAll(async () => {
  engine = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    registered.push(JSON.parse(Buffer.concat(parts).toString() || "{}"));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ status: 200, modified: true }));
  }).listen(0, "127.0.0.1");
  await once(engine, "listening");
  useTestSettings("postgres://nobody@127.0.0.1:1/nothing", {
    APP_URL: "https://service.example",
    INNGEST_BASE_URL: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    INNGEST_SIGNING_KEY_FALLBACK: SIGNING_KEY_BEFORE,
  });
});

afterAll(() => engine.close());

it("has the engine call the service's own address, whatever host asks for the registration", async () => {
  const { PUT } = await import("@/app/api/inngest/route");
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const response = await PUT(new NextRequest("http://evil.example/api/inngest", { method: "PUT", headers }), undefined);
  expect(response.status).toBe(200);
  expect(registered).toHaveLength(1);
  expect(new URL(registered[0]?.url ?? "").origin).toBe("https://service.example");
});

it("refuses a stranger's call of any size without reading it whole", async () => {
  const { POST } = await import("@/app/api/inngest/route");
  const headers = { "content-type": "application/json", "content-length": String(300 * 1024 * 1024) };
  const init = { method: "POST", headers, body: new ReadableStream({ pull: () => {} }), duplex: "half" } as const;
  const response = await POST(new NextRequest("http://evil.example/api/inngest?fnId=x&stepId=step", init), undefined);
  expect(response.status).toBe(413);
});

it("takes calls that either key signed while one takes the other's place, and no others", async () => {
  const { POST } = await import("@/app/api/inngest/route");
  const body = canonicalJson({ ctx: { run_id: "run" }, event: { name: "none", data: {} }, steps: {} });
  const statusOf = async (key: string) => {
    const headers = { "content-type": "application/json", "x-inngest-signature": signBody(body, key) };
    const request = new NextRequest("http://a.example/api/inngest?fnId=x&stepId=step", {
      method: "POST",
      headers,
      body,
    });
    return (await POST(request, undefined)).status;
  };
  expect(await statusOf("signkey-test-ffffffffffffffffffffffffffffffff")).toBe(401);
  // Of a function that is not there: what is said of it is said to those who may call.
  const known = await statusOf(SIGNING_KEY);
  expect(known).not.toBe(401);
  expect(await statusOf(SIGNING_KEY_BEFORE)).toBe(known);
});
