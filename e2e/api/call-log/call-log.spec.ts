import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newKey, setVerification, switchApiOff } from "@/e2e/api/support/account-states";
import { loggedCalls } from "@/e2e/api/support/logged-calls";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import type { LoggedCall } from "@/lib/contracts/call-log";
import { prisma } from "@/lib/db/prisma";
import { newApiKey } from "@/lib/domain/api-key";
import { newId } from "@/lib/domain/ids";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { listCalls } from "@/lib/services/call-log/list-calls";

interface Started {
  sessionId: string;
}

test.describe("the call log of accepted calls", () => {
  test("holds endpoint, status, time, credits, origin, request and session of a chat", async () => {
    const { account, api } = await newCaller();
    const body = { message: "Hello there", endUserId: "ada" };
    const started = await api.post<Started>("/chat", body, { "user-agent": "acme-client/2.1" });
    const { sessionId } = started.body;
    const session = await api.waitUntilDone<{ creditsUsed: number }>(`/chat/${sessionId}`);
    const turn = await prisma().turn.findFirstOrThrow({ where: { sessionId } });
    const find = async () => (await listCalls(account, { limit: 500 })).data.find(isStart);
    const isStart = ({ endpoint }: LoggedCall) => endpoint === "POST /chat";
    await expect.poll(find).toBeDefined();
    const call = await find();
    expect(call).toEqual({
      id: expect.stringMatching(/^log_/),
      projectId: account.projectId,
      apiKeyId: account.principal.apiKeyId,
      requestId: started.headers.get("x-request-id"),
      endpoint: "POST /chat",
      path: "/api/v1/chat",
      status: 202,
      errorCode: null,
      durationMs: expect.any(Number),
      credits: session.creditsUsed,
      ip: "127.0.0.1",
      userAgent: "acme-client/2.1",
      sessionId,
      turnId: turn.id,
      endUserId: "ada",
      summary: {
        bodyBytes: JSON.stringify(body).length,
        fields: { message: 11, endUserId: 3 },
        answerBytes: JSON.stringify(started.body).length,
      },
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(Math.abs(Date.now() - Date.parse(call?.createdAt ?? ""))).toBeLessThan(60_000);
  });

  test("holds reads with their path and query names, and a stream from its beginning", async () => {
    const { account, api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "Hello [[first:500ms]]" });
    await api.stream(`/chat/${body.sessionId}/stream?after=0`);
    await api.get(`/chat/${body.sessionId}?endUserId=ada&tracker=1`);
    await api.get("/chat/sessions?limit=5&status=completed");
    const [, stream, refused, list] = await loggedCalls(account, 4);
    expect(stream).toMatchObject({
      endpoint: "GET /chat/:sessionId/stream",
      path: `/api/v1/chat/${body.sessionId}/stream`,
      status: 200,
      sessionId: body.sessionId,
      credits: 0,
      summary: { query: ["after"], answerType: expect.stringMatching(/^text\/event-stream/) },
    });
    expect(refused).toMatchObject({
      endpoint: "GET /chat/:sessionId",
      status: 404,
      errorCode: "NOT_FOUND",
      endUserId: "ada",
      sessionId: body.sessionId,
      turnId: null,
      summary: { query: ["endUserId"] },
    });
    expect(list).toMatchObject({
      path: "/api/v1/chat/sessions",
      sessionId: null,
      summary: { query: ["limit", "status"], answerItems: 1, answerBytes: expect.any(Number) },
    });
  });

  test("holds the sizes of files, and a batch with the credits of all its turns", async () => {
    const { account, api } = await newCaller();
    const { sessionId } = await startProcessing(api, textFile("1234567"), { prompt: "What?" });
    const batch = await api.upload<Started[]>("/process/batch", {
      file: [textFile("one", "1.txt"), textFile("three", "2.txt")],
      prompt: "What is this?",
    });
    const sessionIds = (batch.body as Started[]).map((item) => item.sessionId);
    const rows = () => prisma().turn.findMany({ where: { accountId: account.accountId, status: "completed" } });
    await expect.poll(async () => (await rows()).length).toBe(3);
    const [single, both] = await loggedCalls(account, 2);
    expect(single).toMatchObject({
      endpoint: "POST /process",
      sessionId,
      turnId: expect.stringMatching(/^trn_/),
      credits: 1,
      summary: { fileBytes: [7], fields: { prompt: 5 } },
    });
    expect(both).toMatchObject({
      endpoint: "POST /process/batch",
      sessionId: null,
      turnId: null,
      credits: 2,
      summary: { fileBytes: [3, 5], sessionIds },
    });
  });

  test("marks the repetition of a call, which costs nothing", async () => {
    const { account, api } = await newCaller();
    const headers = { "idempotency-key": randomUUID() };
    const { body } = await api.post<Started>("/chat", { message: "Once" }, headers);
    await api.post<Started>("/chat", { message: "Once" }, headers);
    await expect.poll(() => prisma().turn.count({ where: { sessionId: body.sessionId, status: "completed" } })).toBe(1);
    const [first, second] = await loggedCalls(account, 2);
    expect(first).toMatchObject({ status: 202, credits: 1, sessionId: body.sessionId });
    expect(second).toMatchObject({ status: 202, credits: 0, sessionId: body.sessionId, turnId: null });
    expect(second?.summary).toMatchObject({ isReplay: true, answerBytes: first?.summary.answerBytes });
  });
});

test.describe("the call log of refused calls", () => {
  test("has a row for each refusal of a known key, by its status and code", async () => {
    const { account, api } = await newCaller({ credits: 0 });
    const missing = newId("session");
    const text = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
    const big = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `"${"x".repeat(17_000_000)}"`,
    };
    await api.post("/chat", "{");
    await api.post("/chat", { message: "", wrong: 1, maxCredits: 0 });
    await api.get("/chat/sessions?limit=0");
    await api.post("/chat", { message: "Hi" });
    await api.get(`/chat/${missing}`);
    await api.get("/chat/not-an-id");
    await api.fetch("/chat", text);
    await api.fetch("/chat", big);
    const rows = await loggedCalls(account, 8);
    expect(rows.map((row) => [row.endpoint, row.status, row.errorCode])).toEqual([
      ["POST /chat", 400, "INVALID_JSON"],
      ["POST /chat", 400, "VALIDATION_FAILED"],
      ["GET /chat/sessions", 400, "VALIDATION_FAILED"],
      ["POST /chat", 402, "INSUFFICIENT_CREDITS"],
      ["GET /chat/:sessionId", 404, "NOT_FOUND"],
      ["GET /chat/:sessionId", 404, "NOT_FOUND"],
      ["POST /chat", 415, "UNSUPPORTED_MEDIA_TYPE"],
      ["POST /chat", 413, "BODY_TOO_LARGE"],
    ]);
    expect(rows[1]?.summary.invalid).toEqual(["message", "maxCredits"]);
    expect(rows[2]?.summary).toEqual({ query: ["limit"], invalid: ["limit"], answerBytes: expect.any(Number) });
    expect(rows[4]).toMatchObject({ path: `/api/v1/chat/${missing}`, sessionId: missing });
    expect(rows[5]).toMatchObject({ path: "/api/v1/chat/:sessionId", sessionId: null });
  });

  test("has 403 without permission, verification or with the API off, and 429", async () => {
    const { account } = await newCaller({ rateLimitPerMinute: 1 });
    const { keyId, apiKey } = await newKey(account, { permissions: ["templates"] });
    await apiClient(suite.url, apiKey).post("/chat", { message: "Hi" });
    const api = apiClient(suite.url, account.apiKey);
    await api.get("/account");
    await api.get("/account");
    await switchApiOff(account);
    await api.get("/account");
    await setVerification(account, "rejected");
    await api.get("/account");
    const rows = await loggedCalls(account, 5);
    expect(rows.map((row) => [row.status, row.errorCode])).toEqual([
      [403, "INSUFFICIENT_PERMISSION"],
      [200, null],
      [429, "RATE_LIMITED"],
      [403, "API_DISABLED"],
      [403, "B2B_NOT_VERIFIED"],
    ]);
    expect(rows[0]?.apiKeyId).toBe(keyId);
  });

  test("shows the owner of a revoked or expired key that it is still used", async () => {
    const { account } = await newCaller();
    const revoked = await newKey(account);
    const expired = await newKey(account, { expiresAt: new Date(Date.now() - 1_000) });
    await revokeApiKey({ kind: "operator" }, { keyId: revoked.keyId });
    for (const { apiKey } of [revoked, expired]) {
      expect((await apiClient(suite.url, apiKey).get("/account")).status).toBe(401);
    }
    const rows = await loggedCalls(account, 2);
    expect(rows.map((row) => [row.apiKeyId, row.status, row.errorCode])).toEqual([
      [revoked.keyId, 401, "INVALID_API_KEY"],
      [expired.keyId, 401, "INVALID_API_KEY"],
    ]);
  });

  test("has a row for a path or method that does not exist, without a word of the path", async () => {
    const { account, api } = await newCaller({ rateLimitPerMinute: 1 });
    const revoked = await newKey(account);
    await revokeApiKey({ kind: "operator" }, { keyId: revoked.keyId });
    const made = `canary${randomUUID()}`;
    const host = new URL(suite.url).origin;
    const calls: [url: string, method: string, apiKey?: string][] = [
      [`${host}/api/v1/${made}?${made}=1`, "GET"],
      [`${host}/b2b/${made}/${made}`, "POST"],
      [`${host}/api/v1/chat/${made}/cancel?${made}=1`, "PUT"],
      [`${host}/api/v1/usage`, "PROPFIND"],
      [`${host}/api/v1/${made}`, "HEAD", revoked.apiKey],
    ];
    const requestIds: (string | null)[] = [];
    for (const [index, [url, method, apiKey = account.apiKey]] of calls.entries()) {
      const headers = { authorization: `Bearer ${apiKey}`, "user-agent": "acme-client/2.1" };
      requestIds.push((await fetch(url, { method, headers })).headers.get("x-request-id"));
      await loggedCalls(account, index + 1);
    }
    const rows = await loggedCalls(account, calls.length);
    expect(rows.map((row) => [row.endpoint, row.path, row.status, row.errorCode])).toEqual([
      ["GET (unknown path)", "(unknown path)", 404, "NOT_FOUND"],
      ["POST (unknown path)", "(unknown path)", 404, "NOT_FOUND"],
      ["PUT /chat/:sessionId/cancel", "/api/v1/chat/:sessionId/cancel", 405, "METHOD_NOT_ALLOWED"],
      ["PROPFIND /usage", "/api/v1/usage", 405, "METHOD_NOT_ALLOWED"],
      ["HEAD (unknown path)", "(unknown path)", 404, "NOT_FOUND"],
    ]);
    expect(rows.map(({ requestId }) => requestId)).toEqual(requestIds);
    expect(rows[0]).toMatchObject({ ip: "127.0.0.1", userAgent: "acme-client/2.1", sessionId: null, credits: 0 });
    expect(rows[4]?.apiKeyId).toBe(revoked.keyId);
    expect(JSON.stringify(rows)).not.toContain(made);
    // None of them took the one token.
    expect((await api.get("/account")).status).toBe(200);
  });

  test("has no row for calls without a known key: they belong to nobody", async () => {
    const { account, api } = await newCaller();
    const refused = await Promise.all([
      apiClient(suite.url).get("/account"),
      apiClient(suite.url, newApiKey()).get("/account"),
      apiClient(suite.url, "bld_wrong").get("/account"),
      apiClient(suite.url).get("/health"),
      apiClient(suite.url).get("/nothing"),
      apiClient(suite.url, newApiKey()).get("/nothing"),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 200, 404, 404]);
    await api.get("/account");
    await loggedCalls(account, 1);
    const requestIds = refused.map(({ headers }) => headers.get("x-request-id") ?? "");
    expect(await prisma().callLog.count({ where: { requestId: { in: requestIds } } })).toBe(0);
  });
});

test("X-Forwarded-For and our own address header are not believed", async () => {
  const { account, api } = await newCaller();
  await api.get("/account", { "x-forwarded-for": "203.0.113.7", "x-service-remote-address": "203.0.113.8" });
  expect((await loggedCalls(account, 1))[0]?.ip).toBe("127.0.0.1");
});
