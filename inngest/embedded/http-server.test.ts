import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashSigningKey, signBody } from "@/inngest/embedded/sign-request";
import type { Runner } from "@/inngest/embedded/start-runner";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import {
  EVENT_KEY,
  makeClient,
  SIGNING_KEY,
  startTestApp,
  type TestApp,
  until,
} from "@/inngest/embedded/testing/test-app";

/** Who is let in, and what is refused with which words. */

const OTHER_KEY = `signkey-test-${"fedcba9876543210".repeat(4)}`;
let stack: Stack;
let app: TestApp;
let runner: Runner;
let calls = 0;

beforeAll(async () => {
  stack = await startStack();
  ({ app, runner } = await stack.startPair((client) => [
    client.createFunction({ id: "fn", triggers: { event: "go" } }, () => void calls++),
  ]));
});
afterAll(() => stack.stop());

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${runner.url}${path}`, { method: "POST", body, headers });
const register = (functions: object[], headers = { authorization: `Bearer ${hashSigningKey(SIGNING_KEY)}` }) =>
  post("/fn/register", JSON.stringify({ appName: "other", functions }), headers);
const config = (changes: object) => ({
  id: "other-fn",
  triggers: [{ event: "x" }],
  steps: { step: { id: "step" } },
  ...changes,
});

describe("events", () => {
  it("are refused with a wrong event key", async () => {
    expect((await post("/e/wrong", "[]")).status).toBe(401);
    await expect(makeClient(runner.url, { eventKey: "wrong" }).send({ name: "go" })).rejects.toThrow("Event key");
  });

  it.each([
    ["no JSON", "{"],
    ["no name", '{"data":{}}'],
    ["an empty name", '{"name":""}'],
    ["data that is not an object", '{"name":"go","data":[1]}'],
    ["a name of the runner's own", '{"name":"inngest/function.failed","data":{}}'],
    ["a NUL in the id", '{"name":"go","id":"a\\u0000"}'],
  ])("are refused with %s", async (_, body) => {
    const response = await post(`/e/${EVENT_KEY}`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: 400, error: expect.any(String) });
  });

  it("get the same ids when the SDK repeats one send", async () => {
    const send = () =>
      post(`/e/${EVENT_KEY}`, '[{"name":"other"},{"name":"other"}]', {
        "x-inngest-event-id-seed": "1700000000000,AAAA",
      });
    const [first, second] = [await (await send()).json(), await (await send()).json()];
    expect(first).toEqual(second);
    expect(new Set(first.ids).size).toBe(2);
  });

  it("are not accepted before an app has registered functions", async () => {
    const fresh = await startStack();
    const silent = await startTestApp();
    const lonely = await fresh.startRunner(silent.serveUrl);
    const response = await fetch(`${lonely.url}/e/${EVENT_KEY}`, { method: "POST", body: '{"name":"go"}' });
    expect(response.status).toBe(503);
    await fresh.stop();
    await silent.close();
  });
});

describe("registration", () => {
  it("is refused without the signing key's hash", async () => {
    expect((await register([], { authorization: "Bearer no" })).status).toBe(401);
    expect((await register([], { authorization: `Bearer ${hashSigningKey(OTHER_KEY)}` })).status).toBe(401);
  });

  it.each([
    [{ debounce: { period: "1s" } }, '"debounce" is not supported'],
    [{ throttle: { limit: 1, period: "1s" } }, '"throttle" is not supported'],
    [{ rateLimit: { limit: 1, period: "1s" } }, '"rateLimit" is not supported'],
    [{ batchEvents: { maxSize: 2, timeout: "1s" } }, '"batchEvents" is not supported'],
    [{ cancel: [{ event: "stop" }] }, '"cancel" is not supported'],
    [{ idempotency: "event.data.id" }, '"idempotency" is not supported'],
    [{ priority: { run: "1" } }, 'priority "1" is not supported'],
    [{ singleton: { mode: "skip" } }, '"singleton" is not supported'],
    [{ concurrency: { limit: 1, scope: "account" } }, 'scope "account" is not supported'],
    [{ concurrency: { limit: 1, key: "event.data.a + event.data.b" } }, "concurrency key"],
    [{ triggers: [{ event: "x/*" }] }, "without wildcards"],
    [{ triggers: [{ event: "x", expression: "event.data.n > 1" }] }, "trigger expression"],
    [{ triggers: [{ cron: "TZ=Europe/Paris 0 9 * * *" }] }, "time zones"],
  ])("refuses %j by name", async (changes, words) => {
    const response = await register([config(changes)]);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: string };
    expect(error).toContain("function other-fn");
    expect(error).toContain(words);
  });

  it("makes ready() fail loudly for an app that asks for too much, and keeps the functions from before", async () => {
    const greedy = await startTestApp();
    const second = await stack.startRunner(greedy.serveUrl);
    greedy.serve(second.url, (client) => [
      client.createFunction({ id: "fn", triggers: { event: "go" }, debounce: { period: "5s" } }, () => {}),
    ]);
    await expect(second.ready()).rejects.toThrow('function app-fn: "debounce" is not supported');
    expect(stack.logged.some((line) => line.startsWith("error") && line.includes("debounce"))).toBe(true);
    await second.stop();
    await greedy.close();
    const before = calls;
    await app.client.send({ name: "go" });
    await until(() => calls > before);
  });

  it("says so when the app registers with another server", async () => {
    const fresh = await startStack();
    await fresh.startRunner(app.serveUrl);
    await until(() => fresh.logged.some((line) => line.startsWith("warn") && line.includes("INNGEST_BASE_URL")));
    await fresh.stop();
  });

  it("lets go of functions that are gone, and takes new ones, when the app changes", async () => {
    let renamed = 0;
    app.serve(runner.url, (client) => [
      client.createFunction({ id: "renamed", triggers: { event: "go" } }, () => void renamed++),
    ]);
    expect((await fetch(app.serveUrl, { method: "PUT" })).status).toBe(200);
    const before = calls;
    await app.client.send({ name: "go" });
    await until(() => renamed === 1);
    expect(calls).toBe(before);
  });
});

describe("calls", () => {
  it("are signed: the app refuses those of another key", async () => {
    const body = '{"ctx":{"run_id":"r"},"event":{"name":"go"},"events":[],"steps":{}}';
    const call = (key: string) =>
      fetch(`${app.serveUrl}?fnId=app-renamed&stepId=step`, {
        method: "POST",
        body,
        headers: { "x-inngest-signature": signBody(body, key) },
      });
    expect((await call(OTHER_KEY)).status).toBe(401);
  });

  it("wait while the app has another signing key, and no attempt is lost", async () => {
    const fresh = await startStack();
    const strict = await startTestApp();
    let runs = 0;
    const right = await fresh.startRunner(strict.serveUrl);
    strict.serve(right.url, (client) => [
      client.createFunction({ id: "fn", triggers: { event: "go" }, retries: 0 }, () => void runs++),
    ]);
    await right.ready();
    await right.stop();
    const port = Number(new URL(right.url).port);
    const wrong = await fresh.startRunner(strict.serveUrl, { signingKey: OTHER_KEY, port });
    await fetch(`${wrong.url}/e/${EVENT_KEY}`, { method: "POST", body: '{"name":"go"}' });
    await until(() => fresh.logged.some((line) => line.startsWith("warn") && line.includes("signing key is wrong")));
    await wrong.stop();
    expect(runs).toBe(0);
    await fresh.startRunner(strict.serveUrl, { port });
    await until(() => runs === 1);
    await fresh.stop();
    await strict.close();
  });

  it("cannot be made with a signing key that the SDK would hash differently", async () => {
    await expect(stack.startRunner(app.serveUrl, { signingKey: "not hex" })).rejects.toThrow("hex digits");
  });
});
