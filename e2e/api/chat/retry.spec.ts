import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { limitKey, newKey, readCredits } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { failedSession } from "@/e2e/api/support/failed-session";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { testRefusals } from "@/e2e/api/support/refusals";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

const PATHS = { chat: "/chat/:id/retry", process: "/process/:id/retry" } as const;

function retry(api: ApiClient, sessionId: string, kind: keyof typeof PATHS = "chat", init: RequestInit = {}) {
  return api.fetch(PATHS[kind].replace(":id", sessionId), { method: "POST", ...init }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }));
}

const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** A chat whose only call the model refuses the first time alone. */
async function failed(api: ApiClient, more: Record<string, unknown> = {}): Promise<{ id: string; marker: string }> {
  const marker = randomUUID();
  const message = `${marker} [[fail:400:1]] [[answer:Here]]`;
  const { body } = await api.post<{ sessionId: string }>("/chat", { message, ...more });
  expect(await api.waitUntilDone(`/chat/${body.sessionId}`)).toMatchObject({ status: "failed" });
  return { id: body.sessionId, marker };
}

test.describe("POST /chat/:sessionId/retry 202", () => {
  test("asks once more what failed, charges once and tells the callback of that call", async () => {
    const { account, api } = await newCaller();
    const callbackUrl = "https://client.example/told";
    const { id, marker } = await failed(api, { callbackUrl });
    const { status, headers, body } = await retry(api, id);
    expect(status).toBe(202);
    expectCommonHeaders(headers);
    expect(body).toEqual({ sessionId: id, status: "resumed", callbackUrl });
    const done = await api.waitUntilDone(`/chat/${id}`);
    expect(done).toMatchObject({ status: "completed", lastOutput: "Here" });
    expect(done).not.toHaveProperty("error");
    expect(done.messages).toMatchObject([{ role: "user" }, { role: "assistant", content: "Here" }]);
    expect(await modelRequestsWith(marker)).toHaveLength(2);
    expect(await readCredits(account)).toMatchObject({ reserved: 0, charges: 1 });
    const told = { where: { sessionId: id, url: callbackUrl } };
    await expect.poll(() => prisma().webhookDelivery.count(told)).toBe(2);
  });

  test("streams what comes of it", async () => {
    const { api } = await newCaller();
    const { id } = await failed(api);
    await retry(api, id);
    const events = (await api.stream(`/chat/${id}/stream`)) ?? [];
    expect(events.at(-1)).toMatchObject({ event: "completed", data: { sessionId: id, output: "Here" } });
  });

  test("starts once, however often it is sent with its Idempotency-Key", async () => {
    const { api } = await newCaller();
    const { id, marker } = await failed(api);
    const init = { headers: { "idempotency-key": randomUUID() } };
    const first = await retry(api, id, "chat", init);
    await api.waitUntilDone(`/chat/${id}`);
    const again = await retry(api, id, "chat", init);
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(await modelRequestsWith(marker)).toHaveLength(2);
  });

  test("is of a call as any other in usage and in the call log", async () => {
    const { account, api } = await newCaller();
    const { id } = await failed(api);
    await retry(api, id);
    await api.waitUntilDone(`/chat/${id}`);
    const usage = await api.get<{ endpoints: { endpoint: string }[] }>("/usage");
    const endpoint = "POST /chat/:sessionId/retry";
    expect(usage.body.endpoints).toContainEqual(expect.objectContaining({ endpoint }));
    const where = { projectId: account.projectId, endpoint };
    await expect.poll(() => prisma().callLog.findFirst({ where })).toMatchObject({ status: 202, sessionId: id });
  });
});

test.describe("POST /process/:id/retry 202", () => {
  test("reads the same file once more, without its being sent again", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const prompt = "Sum up [[fail:400:1]] [[answer:Summed]]";
    const { sessionId, fileUrl } = await startProcessing(api, textFile(`Of ${marker}\n`), { prompt });
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "failed" });
    expect(await retry(api, sessionId, "process")).toMatchObject({
      status: 202,
      body: { sessionId, status: "resumed", callbackUrl: null },
    });
    const done = await api.waitUntilDone(`/process/${sessionId}`);
    expect(done).toMatchObject({ status: "completed", output: "Summed", fileUrl, prompt });
    expect(await modelRequestsWith(marker)).toHaveLength(2);
  });

  test("does not know a chat, which the other path does, of either kind", async () => {
    const { api } = await newCaller();
    const { id } = await failed(api);
    expectError(await retry(api, id, "process"), "NOT_FOUND");
    const { sessionId } = await startProcessing(api, textFile(), { prompt: "[[fail:400:1]]" });
    await api.waitUntilDone(`/process/${sessionId}`);
    expect((await retry(api, sessionId)).status).toBe(202);
  });
});

for (const kind of ["chat", "process"] as const) {
  test.describe(`${PATHS[kind]} refuses`, () => {
    testRefusals({
      path: PATHS[kind].replace(":id", newId("session")),
      permission: kind,
      body: () => json({}),
    });

    test("404 what is missing, foreign, another end user's and malformed alike, and begins nothing", async () => {
      const [mine, theirs] = await Promise.all([newCaller(), newCaller()]);
      const foreign = (await startProcessing(theirs.api, textFile(), { prompt: "[[fail:400]]" })).sessionId;
      const ada = (await startProcessing(mine.api, textFile(), { prompt: "[[fail:400]]", endUserId: "ada" })).sessionId;
      await Promise.all([theirs.api.waitUntilDone(`/chat/${foreign}`), mine.api.waitUntilDone(`/chat/${ada}`)]);
      const answers = [
        await retry(mine.api, newId("session"), kind),
        await retry(mine.api, foreign, kind),
        await retry(mine.api, ada, kind, json({ endUserId: "bob" })),
        await retry(mine.api, "nonsense", kind),
      ];
      for (const answer of answers) {
        expectError(answer, "NOT_FOUND");
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
      }
      const projects = [mine.account.projectId, theirs.account.projectId];
      expect(await prisma().turn.count({ where: { projectId: { in: projects } } })).toBe(2);
      expect((await retry(mine.api, ada, kind, json({ endUserId: "ada" }))).status).toBe(202);
    });

    test("409 NOT_READY what was answered, and what is under way", async () => {
      const { api } = await newCaller();
      const answered = (await startProcessing(api, textFile(), { prompt: "[[answer:Done]]" })).sessionId;
      await api.waitUntilDone(`/process/${answered}`);
      expectError(await retry(api, answered, kind), "NOT_READY", { retryable: false, message: /answered/ });
      const open = (await startProcessing(api, textFile(), { prompt: "[[stall]]" })).sessionId;
      expectError(await retry(api, open, kind), "NOT_READY", { retryable: true, message: /under way/ });
      await api.post(`/chat/${open}/cancel`, {});
      expect((await retry(api, open, kind)).status).toBe(202);
      await api.post(`/chat/${open}/cancel`, {});
    });

    for (const [code, callbackUrl] of [
      ["URL_NOT_HTTPS", "http://client.example/told"],
      ["URL_NOT_ALLOWED", "https://10.0.0.1/told"],
    ] as const) {
      test(`400 ${code} where the callback of the call is allowed no more, and begins nothing`, async () => {
        const { account, api } = await newCaller();
        const id = await failedSession(account, { kind, input: "Hello", callbackUrl });
        expectError(await retry(api, id, kind), code);
        expect(await prisma().turn.count({ where: { sessionId: id } })).toBe(1);
      });
    }

    test("400 for dryRun=true, and begins nothing: nobody who asks for a quote gets the work", async () => {
      const { account, api } = await newCaller();
      const id = await failedSession(account, { kind, input: "Hello" });
      const refused = await api.post(`/${kind}/${id}/retry?dryRun=true`, {});
      expectError(refused, "VALIDATION_FAILED", { param: "dryRun", message: /no quote/ });
      expect(await prisma().turn.count({ where: { sessionId: id } })).toBe(1);
      expect((await api.post(`/${kind}/${id}/retry?dryRun=false`, {})).status).toBe(202);
    });

    test("400 for a maxCredits beside the one that the call was sent with, and begins nothing", async () => {
      const { account, api } = await newCaller();
      const id = await failedSession(account, { kind, input: "Hello" });
      const refused = await api.post(`/${kind}/${id}/retry?maxCredits=1`, {});
      expectError(refused, "VALIDATION_FAILED", { param: "maxCredits", message: /as when it was asked first/ });
      expectError(await retry(api, id, kind, json({ maxCredits: 1 })), "VALIDATION_FAILED", { param: "maxCredits" });
      expect(await prisma().turn.count({ where: { sessionId: id } })).toBe(1);
    });

    test("400 a field that is not known, and an end user that is named twice", async () => {
      const { api } = await newCaller();
      const id = newId("session");
      expectError(await retry(api, id, kind, json({ message: "Another" })), "VALIDATION_FAILED", { param: "message" });
      const path = `${id}/retry?endUserId=ada`;
      const twice = await api.post(`/${kind}/${path}`, { endUserId: "bob" });
      expectError(twice, "VALIDATION_FAILED", { param: "endUserId", message: /the same/ });
    });
  });
}

test("402 INSUFFICIENT_CREDITS begins nothing, and the call can be tried again with credits", async () => {
  const { account, api } = await newCaller();
  const { id, marker } = await failed(api);
  const setReserved = (creditReserved: number) =>
    prisma().account.update({ where: { id: account.accountId }, data: { creditReserved } });
  await setReserved(1_000);
  expectError(await retry(api, id), "INSUFFICIENT_CREDITS");
  await setReserved(0);
  expect((await retry(api, id)).status).toBe(202);
  expect(await api.waitUntilDone(`/chat/${id}`)).toMatchObject({ status: "completed" });
  expect(await modelRequestsWith(marker)).toHaveLength(2);
});

test("402 KEY_LIMIT_REACHED is of the key that tries again, whichever asked first", async () => {
  const { account, api } = await newCaller();
  const id = await failedSession(account, { kind: "chat", input: "Hello" });
  const { apiKey } = await newKey(account);
  await limitKey(account);
  expectError(await retry(api, id), "KEY_LIMIT_REACHED");
  expect((await retry(apiClient(suite.url, apiKey), id)).status).toBe(202);
});
