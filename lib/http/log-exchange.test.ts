import { afterEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller } from "@/e2e/support/test-caller";
import { getChatSessionEndpoint, startChatEndpoint } from "@/lib/contracts/chat";
import { newId } from "@/lib/domain/ids";
import { endpoint } from "@/lib/http/endpoint";
import { callLog } from "@/lib/services/call-log/call-log-buffer";

const URL = "https://service.test/api/v1/chat";
const SESSION = newId("session");
const ACCEPTED = { sessionId: SESSION, status: "started" as const, callbackUrl: null };

useServiceDatabase();

afterEach(() => vi.restoreAllMocks());

const startChat = endpoint(startChatEndpoint, () => ACCEPTED);

const post = (key: string, body: unknown, { query = "", agent = "Test" } = {}) =>
  new Request(URL + query, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key, "User-Agent": agent },
    body: JSON.stringify(body),
  });

/** The row of the call log that a call leaves. */
async function rowOf(call: () => Promise<Response>) {
  const added = vi.spyOn(callLog(), "add").mockImplementation(() => {});
  added.mockClear();
  const response = await call();
  const id = response.headers.get("x-request-id");
  return added.mock.calls.map(([row]) => row).find(({ requestId }) => requestId === id);
}

describe("the row of a call", () => {
  it("is its owner's also where the key works no longer: they see who still uses it", async () => {
    const { apiKey, accountId, projectId, keyId } = await makeTestCaller({ revokedAt: new Date(Date.now() - 1_000) });
    expect(await rowOf(() => startChat(post(apiKey, { message: "Hi" }), {}))).toMatchObject({
      ...{ accountId, projectId, apiKeyId: keyId, status: 401, errorCode: "INVALID_API_KEY", isStart: false },
    });
  });

  it("holds nothing of what a client wrote: neither texts nor names of its own, nor a key beside its place", async () => {
    const { apiKey } = await makeTestCaller();
    const body = { message: "canary text", canaryField: 1, templateVars: { canary: "canary value" } };
    const agent = `canary-less/1 ${apiKey}`;
    const row = await rowOf(() => startChat(post(apiKey, body, { query: "?canaryName=canary", agent }), {}));
    expect(row).toMatchObject({ endpoint: "POST /chat", path: "/api/v1/chat", sessionId: null, isStart: false });
    expect(JSON.stringify(row)).not.toMatch(/canary (text|value)|canary(Field|Name)/);
    expect(JSON.stringify(row)).not.toContain(apiKey);
    expect(row?.userAgent).toBe("canary-less/1 bld_[redacted]");
  });

  it("names the session that was begun, and begins none where one is read", async () => {
    const { apiKey } = await makeTestCaller();
    const started = await rowOf(() => startChat(post(apiKey, { message: "Hi" }), {}));
    expect(started).toMatchObject({ status: 202, sessionId: SESSION, isStart: true });
    const getSession = endpoint(getChatSessionEndpoint, () => ({ sessionId: SESSION }) as never);
    const read = await rowOf(() =>
      getSession(new Request(`${URL}/${SESSION}`, { headers: { "X-API-Key": apiKey } }), {
        params: { sessionId: SESSION },
      }),
    );
    expect(read).toMatchObject({ status: 200, isStart: false });
  });
});
