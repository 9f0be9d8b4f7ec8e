import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FunctionCaller } from "@/inngest/embedded/call-function";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { signBody } from "@/inngest/embedded/sign-request";

const KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;
const OTHER_KEY = `signkey-test-${"fedcba9876543210".repeat(4)}`;
const BODY = '{"answer":1}';
const ITEM: ClaimedItem = {
  runId: "01RUN",
  stepId: "step",
  functionId: "app-fn",
  isSleep: false,
  attempt: 0,
  losses: 0,
  generation: 1,
  event: '{"data":{},"name":"go"}',
  memos: [],
};

/** An app that answers everything with one body, signed as it is told. */
let app: Server;
let caller: FunctionCaller;
let signature: string | undefined;

beforeAll(async () => {
  app = createServer((_, response) => {
    const headers = { "x-inngest-sdk": "js:v4", ...(signature !== undefined && { "x-inngest-signature": signature }) };
    response.writeHead(200, headers).end(BODY);
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const serveUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/inngest`;
  caller = new FunctionCaller({ serveUrl, signingKey: KEY, connections: 1 });
});

afterEach(() => {
  signature = undefined;
});

afterAll(async () => {
  await caller.close();
  app.close();
});

describe("an app's reply", () => {
  it("counts with the signature of the app's key", async () => {
    signature = signBody(BODY, KEY);
    expect(await caller.call(ITEM, 4)).toEqual({ kind: "done", output: BODY });
  });

  it.each([
    ["signed with another key", () => signBody(BODY, OTHER_KEY)],
    ["signed for another body", () => signBody('{"answer":2}', KEY)],
    ["signed long ago", () => signBody(BODY, KEY, Date.now() - 3_600_000)],
    ["with anything else in the signature's place", () => "t=1&s=x"],
  ])("is no answer when it is %s: the step runs again", async (_, sign) => {
    signature = sign();
    expect(await caller.call(ITEM, 4)).toEqual({ kind: "lost", reason: "the reply's signature is wrong" });
  });
});

describe("a call under way", () => {
  it("is broken off when the runner stops, whether it came over a connection or not", async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const silent = createServer(() => ask());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const serveUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/api/inngest`;
    const options = { serveUrl, signingKey: KEY, connections: 1 };
    const callers = [
      new FunctionCaller(options),
      new FunctionCaller({ ...options, ownAnswer: () => () => new Promise(() => {}) }),
    ];
    const outcomes = callers.map((one) => one.call(ITEM, 4));
    await asked;
    await Promise.all(callers.map((one) => one.close()));
    expect(await Promise.all(outcomes)).toEqual([
      { kind: "lost", reason: expect.any(String) },
      { kind: "lost", reason: "The runner stopped." },
    ]);
    silent.close();
  });
});
