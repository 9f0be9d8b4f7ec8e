import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { readCredits } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { testRefusals } from "@/e2e/api/support/refusals";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import type { ApiClient } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

interface Started {
  sessionId: string;
}

const MISSING = "ses_01k8z3v5n6f0mve1q5t9d2x7ab";

const cancelChat = (api: ApiClient, sessionId: string, query = "", body?: object) =>
  api.fetch(`/chat/${sessionId}/cancel${query}`, toInit(body)).then(read);
const cancelProcess = (api: ApiClient, sessionId: string, query = "", body?: object) =>
  api.fetch(`/process/${sessionId}/cancel${query}`, toInit(body)).then(read);

/** A call without a body says nothing of its type either. */
function toInit(body: object | undefined): RequestInit {
  if (body === undefined) return { method: "POST" };
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function read(response: Response) {
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

async function start(api: ApiClient, message: string, more: Record<string, unknown> = {}): Promise<string> {
  return (await api.post<Started>("/chat", { message, ...more })).body.sessionId;
}

test.describe("POST /chat/:sessionId/cancel 200", () => {
  test("gives the record, stops the model, returns the credits and ends the stream", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const sessionId = await start(api, `Never ends ${marker} [[stall]]`);
    await expect.poll(async () => (await modelRequestsWith(marker))[0]?.outcome, { intervals: [20] }).toBe("open");
    expect((await readCredits(account)).reserved).toBeGreaterThan(0);
    const streaming = api.stream(`/chat/${sessionId}/stream`);
    const canceledAt = performance.now();
    const { status, headers, body } = await cancelChat(api, sessionId);
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toMatchObject({ id: sessionId, kind: "chat", status: "canceled", creditsUsed: 0, lastOutput: null });
    expect(body).toEqual((await api.get(`/chat/${sessionId}`)).body);
    await expect.poll(async () => (await modelRequestsWith(marker))[0]?.outcome, { intervals: [10] }).toBe("closed");
    const tookMs = performance.now() - canceledAt;
    // The model's own time-out of two seconds would end it as well.
    expect(tookMs).toBeLessThan(1_500);
    const events = (await streaming) ?? [];
    expect(events.at(-1)).toMatchObject({ event: "error", data: { sessionId, error: { code: "CANCELED" } } });
    expect(events.filter(({ event }) => event === "error" || event === "completed")).toHaveLength(1);
    expect(await readCredits(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
  });

  test("ends turns that are still queued too; the model never hears of them", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const sessionId = await start(api, `First ${marker} [[stall]]`);
    await start(api, `Second ${marker}`, { sessionId });
    await expect.poll(async () => (await modelRequestsWith(marker)).length).toBe(1);
    expect((await cancelChat(api, sessionId)).body).toMatchObject({ status: "canceled" });
    const books = await readBooks(suite.variables.DATABASE_URL ?? "", account.accountId);
    expect(books).toMatchObject({ reserved: 0, turns: { canceled: 2 }, wrongTerminals: 0 });
    expect(await modelRequestsWith(`Second ${marker}`)).toEqual([]);
  });

  test("leaves a session that has ended as it is, and can be sent twice", async () => {
    const { api } = await newCaller();
    const done = await start(api, "Hello [[answer:Done]]");
    const before = await api.waitUntilDone(`/chat/${done}`);
    expect(await cancelChat(api, done)).toMatchObject({ status: 200, body: before });
    const open = await start(api, "Never ends [[stall]]");
    const [first, second] = [await cancelChat(api, open), await cancelChat(api, open)];
    expect(first.body).toMatchObject({ status: "canceled" });
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  test("is found by the list's filter, and the session goes on with the next message", async () => {
    const { api } = await newCaller();
    const sessionId = await start(api, "Never ends [[stall]]");
    await cancelChat(api, sessionId);
    const list = await api.get<{ data: { id: string }[] }>("/chat/sessions?status=canceled");
    expect(list.body.data.map(({ id }) => id)).toEqual([sessionId]);
    await start(api, "Go on [[answer:Here]]", { sessionId });
    expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ status: "completed", lastOutput: "Here" });
  });

  test("sends nothing to the callback", async () => {
    const { account, api } = await newCaller();
    const sessionId = await start(api, "Never ends [[stall]]", { callbackUrl: "https://client.example/hook" });
    await cancelChat(api, sessionId);
    expect(await prisma().webhookDelivery.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  test("works on a processing", async () => {
    const { api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "[[stall]]" });
    expect((await cancelChat(api, sessionId)).body).toMatchObject({ kind: "process", status: "canceled" });
  });

  test("in a race with completion ends each turn once and balances the books", async () => {
    const { account, api } = await newCaller();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const sessionId = await start(api, `Race ${index} [[size:400]] [[slow:2ms]]`);
        await expect
          .poll(async () => (await prisma().turn.findFirst({ where: { sessionId } }))?.status, { intervals: [5] })
          .not.toBe("queued");
        const { body } = await cancelChat(api, sessionId);
        expect(["canceled", "completed"]).toContain(body.status);
      }),
    );
    const books = await readBooks(suite.variables.DATABASE_URL ?? "", account.accountId);
    expect(books).toMatchObject({ reserved: 0, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0 });
    expect(books.ledger).toBe(books.balance);
  });
});

test.describe("POST /process/:id/cancel 200", () => {
  test("gives the record and returns the credits", async () => {
    const { account, api } = await newCaller();
    const { sessionId, fileUrl } = await startProcessing(api, textFile(), { prompt: "Never ends [[stall]]" });
    const { status, body } = await cancelProcess(api, sessionId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ sessionId, status: "canceled", fileUrl, creditsUsed: 0 });
    expect(body).not.toHaveProperty("output");
    expect(body).toEqual((await api.get(`/process/${sessionId}`)).body);
    expectError(await api.get(`/process/${sessionId}/download`), "NOT_READY", { retryable: false });
    expect(await readCredits(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
  });
});

test.describe("404", () => {
  for (const [name, cancel] of [
    ["/chat/:sessionId/cancel", cancelChat],
    ["/process/:id/cancel", cancelProcess],
  ] as const) {
    test(`${name}: missing, foreign, another end user's and malformed are the same, and nothing is canceled`, async () => {
      const [mine, theirs] = await Promise.all([newCaller(), newCaller()]);
      const fields = { prompt: "[[stall]]" };
      const foreign = (await startProcessing(theirs.api, textFile(), fields)).sessionId;
      const ada = (await startProcessing(mine.api, textFile(), { ...fields, endUserId: "ada" })).sessionId;
      const plain = (await startProcessing(mine.api, textFile(), fields)).sessionId;
      const answers = [
        await cancel(mine.api, MISSING),
        await cancel(mine.api, foreign),
        await cancel(mine.api, ada, "?endUserId=bob"),
        await cancel(mine.api, plain, "?endUserId=bob"),
        await cancel(mine.api, ada, "", { endUserId: "bob" }),
        await cancel(mine.api, plain, "", { endUserId: "bob" }),
        await cancel(mine.api, "nonsense"),
      ];
      for (const answer of answers) {
        expectError(answer, "NOT_FOUND");
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
      }
      const projects = [mine.account.projectId, theirs.account.projectId];
      expect(await prisma().turn.count({ where: { projectId: { in: projects }, status: "canceled" } })).toBe(0);
      expect((await cancel(mine.api, ada, "?endUserId=ada", { endUserId: "ada" })).status).toBe(200);
      expect((await cancel(mine.api, ada, "", { endUserId: "ada" })).status).toBe(200);
      expect((await cancel(mine.api, plain)).status).toBe(200);
      expect((await cancel(mine.api, plain, "", {})).status).toBe(200);
    });

    test(`${name}: 400 when query and body name different end users, and nothing is canceled`, async () => {
      const { account, api } = await newCaller();
      const sent = { prompt: "[[stall]]", endUserId: "ada" };
      const { sessionId } = await startProcessing(api, textFile(), sent);
      for (const [query, body] of [
        ["?endUserId=ada", { endUserId: "bob" }],
        ["?endUserId=bob", { endUserId: "ada" }],
      ] as const) {
        const refused = await cancel(api, sessionId, query, body);
        expectError(refused, "VALIDATION_FAILED", { param: "endUserId", message: /the same/ });
      }
      expect(await prisma().turn.count({ where: { projectId: account.projectId, status: "canceled" } })).toBe(0);
    });
  }

  test("/process/:id/cancel does not know a chat", async () => {
    const { api } = await newCaller();
    const sessionId = await start(api, "Hello");
    expectError(await cancelProcess(api, sessionId), "NOT_FOUND");
  });

  test("400 for an endUserId that is none", async () => {
    const { api } = await newCaller();
    expectError(await cancelChat(api, MISSING, "?endUserId=../x"), "VALIDATION_FAILED", { param: "endUserId" });
  });
});

test.describe("POST /chat/:sessionId/cancel refuses", () => {
  testRefusals({ path: `/chat/${MISSING}/cancel`, permission: "chat" });
});

test.describe("POST /process/:id/cancel refuses", () => {
  testRefusals({ path: `/process/${MISSING}/cancel`, permission: "process" });
});
