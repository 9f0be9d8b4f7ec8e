import dns from "node:dns";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { createClients } from "@/lib/ai/openai-clients";
import { lookupTogether } from "@/lib/lookup-together";
import { resolveLocally } from "@/lib/net/resolve-host";

type Answer = (error: Error | null, addresses?: dns.LookupAddress[]) => void;

const HERE = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Look-ups that the system was asked for and has not answered, with the names. */
const asked: { name: string; answer: Answer }[] = [];

let server: ModelServer;

// Before look-ups are stood in for: to listen takes one.
beforeAll(async () => {
  server = await startModelServer();
});

afterAll(() => server.stop());

beforeEach(() => {
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _options: unknown, answer: Answer) =>
    asked.push({ name, answer })) as unknown as typeof dns.lookup);
});

afterEach(() => {
  vi.restoreAllMocks();
  asked.length = 0;
});

const lookUp = (name: string, all = true) =>
  new Promise((resolve) => lookupTogether(name, { all }, (...answer) => resolve(answer)));

describe("lookupTogether", () => {
  it("asks the system once for all who wait for a name, and gives each the form that it wants", async () => {
    const waiting = [lookUp("a.example"), lookUp("a.example", false), lookUp("a.example")];
    expect(asked.map(({ name }) => name)).toEqual(["a.example"]);
    asked[0]?.answer(null, HERE);
    expect(await Promise.all(waiting)).toEqual([
      [null, HERE],
      [null, "127.0.0.1", 4],
      [null, HERE],
    ]);
  });

  it("asks anew once it was answered, also by a failure, and for another name at once", async () => {
    const failed = lookUp("a.example");
    const other = lookUp("b.example");
    expect(asked.map(({ name }) => name)).toEqual(["a.example", "b.example"]);
    const away = Object.assign(new Error("getaddrinfo EAI_AGAIN a.example"), { code: "EAI_AGAIN" });
    asked[0]?.answer(away);
    asked[1]?.answer(null, HERE);
    expect(await failed).toEqual([away, []]);
    expect(await other).toEqual([null, HERE]);
    void lookUp("a.example");
    expect(asked.map(({ name }) => name)).toEqual(["a.example", "b.example", "a.example"]);
  });
});

it("holds one of the process's worker threads, and no more, while the name servers of the model's provider are silent", async () => {
  const baseUrl = server.baseUrl.replace(/\/\/[^:]+/, "//model.example");
  const { client, streamClient } = createClients({ baseUrl, idleTimeoutSeconds: 5, timeoutSeconds: 5 });
  const body = { model: "gpt-4.1-mini", messages: [{ role: "user" as const, content: "hello" }] };
  const calls = [
    ...Array.from({ length: 10 }, () => client.chat.completions.create(body)),
    ...Array.from({ length: 10 }, () => streamClient.chat.completions.create({ ...body, stream: true })),
  ];
  await vi.waitFor(() => expect(asked).not.toEqual([]));
  await new Promise(setImmediate);
  expect(asked.map(({ name }) => name)).toEqual(["model.example"]);
  asked[0]?.answer(null, HERE.slice(0, 1));
  for (const { status } of await Promise.allSettled(calls)) expect(status).toBe("fulfilled");
});

it("does so for hosts of receivers that the operator lets through by name", async () => {
  const waiting = [resolveLocally("inside.example"), resolveLocally("inside.example")];
  expect(asked.map(({ name }) => name)).toEqual(["inside.example"]);
  asked[0]?.answer(null, HERE);
  expect(await Promise.all(waiting)).toEqual([
    ["127.0.0.1", "::1"],
    ["127.0.0.1", "::1"],
  ]);
});
