import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { readCredits } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { formBody } from "@/e2e/api/support/refusals";
import { textFile } from "@/e2e/api/support/start-processing";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { limitParallel } from "@/lib/limit-parallel";

interface KeyedAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

async function send(api: ApiClient, path: string, key: string, init: RequestInit): Promise<KeyedAnswer> {
  const headers = new Headers(init.headers);
  headers.set("idempotency-key", key);
  const response = await api.fetch(path, { method: "POST", ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const json = (body: unknown): RequestInit => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const upload = (text = "Some text", name = "note.txt", prompt = "Sum up") =>
  formBody([
    ["prompt", prompt],
    ["file", textFile(text, name)],
  ]);

const countSessions = ({ projectId }: TestAccount) => prisma().session.count({ where: { projectId } });
const isReplayed = ({ headers }: KeyedAnswer) => headers.get("idempotent-replayed") === "true";

interface Creating {
  path: (account: TestAccount) => string;
  init: () => RequestInit;
  status: number;
  count: (account: TestAccount) => Promise<number>;
}

const ENDPOINTS: Record<string, Creating> = {
  "POST /chat": { path: () => "/chat", init: () => json({ message: "Hello" }), status: 202, count: countSessions },
  "POST /process": { path: () => "/process", init: () => upload(), status: 202, count: countSessions },
  "POST /process/batch": { path: () => "/process/batch", init: () => upload(), status: 202, count: countSessions },
  "POST /b2b/send with JSON": {
    path: () => "/b2b/send",
    init: () => json({ prompt: "Hello" }),
    status: 202,
    count: countSessions,
  },
  "POST /b2b/send with a file": { path: () => "/b2b/send", init: () => upload(), status: 202, count: countSessions },
  "POST /templates": {
    path: () => "/templates",
    init: () => json({ name: "One", promptTemplate: "Hi {{who}}" }),
    status: 201,
    count: ({ projectId }) => prisma().template.count({ where: { projectId } }),
  },
  "POST /templates/upload": {
    path: () => "/templates/upload",
    init: () => formBody([["file", textFile("Hi {{who}}", "greeting.md")]]),
    status: 201,
    count: ({ projectId }) => prisma().template.count({ where: { projectId } }),
  },
  "POST /b2b/partners/:partnerId/webhooks": {
    path: ({ accountId }) => `//b2b/partners/${accountId}/webhooks`,
    init: () => json({ url: "https://client.example/hook", events: ["completion"], active: true }),
    status: 201,
    count: ({ projectId }) => prisma().webhookRegistration.count({ where: { projectId } }),
  },
};

for (const [name, { path, init, status, count }] of Object.entries(ENDPOINTS)) {
  test.describe(`Idempotency-Key on ${name}`, () => {
    test("answers a second time with the same status and bytes, and starts nothing", async () => {
      const { account, api } = await newCaller();
      const key = randomUUID();
      const first = await send(api, path(account), key, init());
      expect(first.status, first.text).toBe(status);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      const second = await send(api, path(account), key, init());
      expect({ status: second.status, text: second.text }).toEqual({ status, text: first.text });
      expect(isReplayed(second)).toBe(true);
      expectCommonHeaders(second.headers);
      expect(second.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
      expect(await count(account)).toBe(1);
      const where = { projectId: account.projectId };
      await expect.poll(() => prisma().pendingUpload.count({ where }), { message: "no upload is left" }).toBe(0);
    });
  });
}

test.describe("Idempotency-Key", () => {
  test("of calls at once starts the work once; every answer is that one's", async () => {
    const { account, api } = await newCaller();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(api, "/chat", key, json({ message: "Hello" }))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter(isReplayed)).toHaveLength(49);
    expect(await countSessions(account)).toBe(1);
  });

  test("of uploads at once keeps one file", async () => {
    const { account, api } = await newCaller();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(api, "/process", key, upload())));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const where = { projectId: account.projectId };
    await expect.poll(() => prisma().pendingUpload.count({ where })).toBe(0);
    expect(await prisma().storedFile.count({ where })).toBe(1);
  });

  test("of many keys at once starts exactly one session for each", async () => {
    // IDEMPOTENCY_KEYS=100 IDEMPOTENCY_CALLS=50 for the full form.
    const keys = Number(process.env.IDEMPOTENCY_KEYS ?? 20);
    const calls = Number(process.env.IDEMPOTENCY_CALLS ?? 10);
    const { account, api } = await newCaller({ credits: 10_000, planId: "scale", rateLimitPerMinute: 100_000 });
    const sendMany = async (index: number) => {
      const init = () => json({ message: `Number ${index} [[answer:ok]]` });
      const answers = await Promise.all(
        Array.from({ length: calls }, () => send(api, "/chat", `many-${index}`, init())),
      );
      const accepted = answers.filter(({ status }) => status === 202);
      for (const answer of answers) if (answer.status !== 202) expectError(answer, "IDEMPOTENCY_IN_PROGRESS");
      expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
      return String(accepted[0]?.body.sessionId);
    };
    // All calls of a key at once, some keys at a time: thousands of new connections at once test the socket queue instead.
    const inTurn = limitParallel(10);
    const sessions = await Promise.all(Array.from({ length: keys }, (_, index) => inTurn(() => sendMany(index))));
    expect(new Set(sessions).size).toBe(keys);
    expect(await countSessions(account)).toBe(keys);
  });

  test("is charged once", async () => {
    const { account, api } = await newCaller();
    const key = randomUUID();
    const { body } = await send(api, "/chat", key, json({ message: "Hello" }));
    await send(api, "/chat", key, json({ message: "Hello" }));
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    await send(api, "/chat", key, json({ message: "Hello" }));
    expect(await readCredits(account)).toMatchObject({ reserved: 0, charges: 1 });
  });

  test("takes the same fields in another order, and the same bytes under another name, for the same call", async () => {
    const { api } = await newCaller();
    const key = randomUUID();
    await send(api, "/chat", key, json({ message: "x", templateVars: { a: "1", b: "2" }, endUserId: "ada" }));
    const again = json({ endUserId: "ada", templateVars: { b: "2", a: "1" }, message: "x" });
    expect(isReplayed(await send(api, "/chat", key, again))).toBe(true);
    const fileKey = randomUUID();
    await send(api, "/process", fileKey, upload("bytes", "a.txt"));
    expect(isReplayed(await send(api, "/process", fileKey, upload("bytes", "b.txt")))).toBe(true);
  });

  test("422 IDEMPOTENCY_KEY_REUSED for other fields, other bytes, another path", async () => {
    const { account, api } = await newCaller();
    const key = randomUUID();
    expect((await send(api, "/process", key, upload("one"))).status).toBe(202);
    const others: [string, RequestInit][] = [
      ["/process", upload("two")],
      ["/process", upload("one", "note.txt", "Another prompt")],
      ["/process/batch", upload("one")],
      ["/chat", json({ message: "Hello" })],
    ];
    for (const [path, init] of others) {
      expectError(await send(api, path, key, init), "IDEMPOTENCY_KEY_REUSED", { param: "Idempotency-Key" });
    }
    expect(await countSessions(account)).toBe(1);
    await expect.poll(() => prisma().pendingUpload.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  test("409 IDEMPOTENCY_IN_PROGRESS with Retry-After while the first call runs", async () => {
    const { account, api } = await newCaller();
    const key = randomUUID();
    await send(api, "/chat", key, json({ message: "Hello" }));
    // As if the first call were still at it.
    const where = { projectId_key: { projectId: account.projectId, key } };
    await prisma().idempotencyKey.update({ where, data: { state: "running" } });
    const refused = await send(api, "/chat", key, json({ message: "Hello" }));
    expectError(refused, "IDEMPOTENCY_IN_PROGRESS", { param: "Idempotency-Key" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await countSessions(account)).toBe(1);
  });

  test("of a refused call can be sent again at once, for another request too", async () => {
    const { account, api } = await newCaller({ credits: 0 });
    const key = randomUUID();
    expectError(await send(api, "/chat", key, json({ message: "Hello" })), "INSUFFICIENT_CREDITS");
    expectError(await send(api, "/chat", key, json({ message: "Hello", nope: 1 })), "VALIDATION_FAILED");
    await prisma().account.update({ where: { id: account.accountId }, data: { creditBalance: 10 } });
    expectError(await send(api, "/chat", key, json({ message: "x", templateId: "tpl_none" })), "NOT_FOUND");
    const accepted = await send(api, "/chat", key, json({ message: "Hello" }));
    expect(accepted.status).toBe(202);
    expect(isReplayed(accepted)).toBe(false);
  });

  test("is a project's own", async () => {
    const key = randomUUID();
    const [one, other] = await Promise.all([newCaller(), newCaller()]);
    const first = await send(one.api, "/chat", key, json({ message: "Hello" }));
    const second = await send(other.api, "/chat", key, json({ message: "Other" }));
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(isReplayed(second)).toBe(false);
  });

  test("can have 1 to 255 printable characters; else 400, and nothing is read or kept", async () => {
    const { account, api } = await newCaller();
    for (const key of ["x".repeat(256), "", "caf\u00e9"]) {
      const refused = await send(api, "/chat", key, json({ message: "Hello" }));
      expectError(refused, "VALIDATION_FAILED", { param: "Idempotency-Key" });
    }
    for (const key of ["x", "~ !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}", "y".repeat(255)]) {
      expect((await send(api, "/chat", key, json({ message: key }))).status).toBe(202);
    }
    expect(await countSessions(account)).toBe(3);
  });

  test("is left to the call by a quote, and is nothing to endpoints that start nothing", async () => {
    const { account, api } = await newCaller();
    const key = randomUUID();
    const quote = await send(api, "/chat?dryRun=true", key, json({ message: "Hello" }));
    expect(quote.status).toBe(200);
    const { status, body } = await send(api, "/chat", key, json({ message: "Hello [[answer:x]]" }));
    expect(status).toBe(202);
    const cancel = await send(api, `/chat/${body.sessionId}/cancel`, key, {});
    expect(cancel.status).toBe(200);
    expect(isReplayed(cancel)).toBe(false);
    expect(await prisma().idempotencyKey.count({ where: { projectId: account.projectId } })).toBe(1);
  });

  test("takes dryRun=false for the call without it", async () => {
    const { api } = await newCaller();
    const key = randomUUID();
    const first = await send(api, "/chat", key, json({ message: "Hello" }));
    const again = await send(api, "/chat?dryRun=false", key, json({ message: "Hello" }));
    expect([first.status, again.status, isReplayed(again)]).toEqual([202, 202, true]);
    expect(again.body).toEqual(first.body);
  });

  test("leaves a call without one as it is: twice sent is twice started", async () => {
    const { account, api } = await newCaller();
    for (let n = 0; n < 2; n++) await api.post("/chat", { message: "Hello" });
    expect(await countSessions(account)).toBe(2);
    expect(await prisma().idempotencyKey.count({ where: { projectId: account.projectId } })).toBe(0);
  });
});
