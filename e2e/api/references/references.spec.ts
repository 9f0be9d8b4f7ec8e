import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { register, startReceiver, verifiedEvent } from "@/e2e/api/support/webhook-receiver";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import type { HttpsReceiver } from "@/e2e/support/https-receiver";
import { newCaller, suite } from "@/e2e/support/suite";
import { addTestProject } from "@/e2e/support/test-account";

/** (beyond) What a client calls its own work comes back with all that comes of it, and finds it. */

interface Started {
  sessionId: string;
}

let receiver: HttpsReceiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

/** What was told, verified, by the kind of event and the session. */
const told = (secret: string) =>
  receiver.requests
    .map((request) => verifiedEvent(request, secret) as unknown as Record<string, unknown>)
    .map(({ type, sessionId, reference }) => ({ type, sessionId, reference }));

async function lastEvent(api: ApiClient, sessionId: string): Promise<Record<string, unknown>> {
  const text = await (await api.fetch(`/chat/${sessionId}/stream`)).text();
  return JSON.parse(text.match(/event: completed\ndata: (.*)/)?.[1] ?? "null");
}

const ids = async (api: ApiClient, path: string) => {
  const { body } = await api.get<{ data: { id?: string; sessionId?: string }[]; pagination: { total: number } }>(path);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map(({ id, sessionId }) => id ?? sessionId);
};

test("stands in the record, in each event and at the end of the stream", async () => {
  const caller = await newCaller();
  const { api } = caller;
  const { secret } = await register(caller, receiver.url, ["completion", "error", "session.started"]);
  const { body } = await api.post<Started>("/chat", { message: "Hi", reference: "Order № 4711 / α" });
  const reference = "Order № 4711 / α";
  const sessionId = body.sessionId;
  expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ reference });
  await receiver.waitForRequests(2);
  const failing = await api.post<Started>("/chat", { message: "No [[fail:400]]", reference: "Lost" });
  expect(await api.waitUntilDone(`/chat/${failing.body.sessionId}`)).toMatchObject({ reference: "Lost" });
  await receiver.waitForRequests(4);
  expect(told(secret)).toEqual(
    expect.arrayContaining([
      { type: "session.started", sessionId, reference },
      { type: "completion", sessionId, reference },
      { type: "session.started", sessionId: failing.body.sessionId, reference: "Lost" },
      { type: "error", sessionId: failing.body.sessionId, reference: "Lost" },
    ]),
  );
});

test("stands at the end of a stream also where nobody else is told", async () => {
  const { api } = await newCaller();
  const { body } = await api.post<Started>("/chat", { message: "Hi", reference: "Alone" });
  await api.waitUntilDone(`/chat/${body.sessionId}`);
  expect(await lastEvent(api, body.sessionId)).toMatchObject({ type: "completion", reference: "Alone" });
});

test("is nowhere when no call sent one", async () => {
  const { api } = await newCaller();
  const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
  const record = await api.waitUntilDone(`/chat/${body.sessionId}`);
  expect(record).not.toHaveProperty("reference");
  expect(await lastEvent(api, body.sessionId)).not.toHaveProperty("reference");
  const [request] = await receiver.waitForRequests(1);
  expect(JSON.parse(request?.body.toString() ?? "{}")).not.toHaveProperty("reference");
});

test("comes with files, with each of a batch, and by way of the hybrid send", async () => {
  const { api } = await newCaller();
  const process = await startProcessing(api, textFile(), { prompt: "What is this?", reference: "one" });
  const batch = await api.upload<Started[]>("/process/batch", {
    file: [textFile("a", "a.txt"), textFile("b", "b.txt")],
    prompt: "What is this?",
    reference: "many",
  });
  expect(batch.status).toBe(202);
  const send = await api.post<Started>("/b2b/send", { prompt: "Hi", reference: "sent" });
  for (const [{ sessionId }, reference] of [
    [process, "one"],
    ...batch.body.map((item) => [item, "many"] as const),
  ] as const) {
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ reference });
  }
  expect(await api.waitUntilDone(`/chat/${send.body.sessionId}`)).toMatchObject({ reference: "sent" });
  expect(new Set(await ids(api, "/process?reference=many"))).toEqual(
    new Set(batch.body.map(({ sessionId }) => sessionId)),
  );
});

test("is its session's for calls without one, and each call that has another is told of by that", async () => {
  const caller = await newCaller();
  const { api } = caller;
  const { secret } = await register(caller, receiver.url, ["completion"]);
  const { sessionId } = (await api.post<Started>("/chat", { message: "One", reference: "first" })).body;
  await api.post("/chat", { message: "Two", sessionId });
  await api.post("/chat", { message: "Three", sessionId, reference: "third" });
  await receiver.waitForRequests(3);
  const references = told(secret).map(({ reference }) => reference);
  expect(references.toSorted()).toEqual(["first", "first", "third"]);
  expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ reference: "third" });
  expect(await ids(api, "/chat/sessions?reference=first"), "the session has its last one").toEqual([]);
});

test("is kept where a call is tried again", async () => {
  const { api } = await newCaller();
  const message = `${crypto.randomUUID()} [[fail:400:1]]`;
  const { sessionId } = (await api.post<Started>("/chat", { message, reference: "again" })).body;
  expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ status: "failed" });
  expect((await api.post(`/chat/${sessionId}/retry`, {})).status).toBe(202);
  expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ status: "completed", reference: "again" });
  expect(await lastEvent(api, sessionId)).toMatchObject({ reference: "again" });
});

test("finds its sessions in both lists, newest first, of the caller's project alone", async () => {
  const { api, account } = await newCaller();
  const beside = apiClient(suite.url, (await addTestProject(account, "Beside")).apiKey);
  const reference = "a/b c+d";
  const query = new URLSearchParams({ reference });
  const start = async (client: ApiClient, more: object) =>
    (await client.post<Started>("/chat", { message: "Hi", ...more })).body.sessionId;
  const chat = await start(api, { reference, endUserId: "ada" });
  const { sessionId: process } = await startProcessing(api, textFile(), { prompt: "Read", reference });
  await start(api, { reference: "A/b c+d" });
  await start(api, {});
  const other = await start(beside, { reference });
  expect(await ids(api, `/chat/sessions?${query}`)).toEqual([process, chat]);
  expect(await ids(api, `/process?${query}`)).toEqual([process]);
  expect(await ids(api, `/chat/sessions?${query}&endUserId=ada`)).toEqual([chat]);
  expect(await ids(beside, `/chat/sessions?${query}`)).toEqual([other]);
});

for (const [what, reference] of [
  ["no text", ""],
  ["201 characters", "x".repeat(201)],
  ["a line break", "a\nb"],
  ["a NUL", "a\u0000b"],
  ["nothing but spaces", "  "],
  ["a space behind it", "order-4711 "],
  ["a no-break space before it", "\u00a0order-4711"],
  ["a number", 4711],
] as const) {
  test(`400 VALIDATION_FAILED for ${what} as one`, async () => {
    const { api } = await newCaller();
    expectError(await api.post("/chat", { message: "Hi", reference }), "VALIDATION_FAILED", { param: "reference" });
    if (typeof reference === "string") {
      const listed = await api.get(`/chat/sessions?${new URLSearchParams({ reference })}`);
      expectError(listed, "VALIDATION_FAILED", { param: "reference" });
    }
  });
}

test("422 IDEMPOTENCY_KEY_REUSED for another one under the same key", async () => {
  const { api } = await newCaller();
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  expect((await api.post("/chat", { message: "Hi", reference: "a" }, headers)).status).toBe(202);
  expectError(await api.post("/chat", { message: "Hi", reference: "b" }, headers), "IDEMPOTENCY_KEY_REUSED");
});
