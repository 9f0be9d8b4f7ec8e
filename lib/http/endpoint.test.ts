import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { readApiError } from "@/e2e/support/api-error";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { makeTestCaller, type TestCallerOptions } from "@/e2e/support/test-caller";
import { getChatSessionEndpoint, startChatEndpoint } from "@/lib/contracts/chat";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import { updateTemplateEndpoint } from "@/lib/contracts/templates";
import { logDb } from "@/lib/db/pool";
import { newApiKey } from "@/lib/domain/api-key";
import { AppError, type ErrorCode } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { endpoint } from "@/lib/http/endpoint";
import { LARGE_BODY_BYTES, MAX_LARGE_BODIES } from "@/lib/http/large-bodies";

const HOST = "https://service.test";
const ACCEPTED = { sessionId: "ses_x", status: "started" as const, callbackUrl: null };

useServiceDatabase({ APP_URL: HOST });

afterEach(() => vi.restoreAllMocks());

const startChat = endpoint(startChatEndpoint, () => ACCEPTED);

const errorOf = (response: Response) => readApiError(response, HOST);

function post(key: string | undefined, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`${HOST}/api/v1/chat`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key === undefined ? {} : { "X-API-Key": key }), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

describe("endpoint", () => {
  it("answers with the handler's object, the definition's status and the common headers", async () => {
    const { apiKey } = await makeTestCaller({ requestsPerMinute: 10 });
    const response = await startChat(post(apiKey, { message: "Hi" }));
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual(ACCEPTED);
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json; charset=utf-8",
      "ratelimit-limit": "10",
      "ratelimit-remaining": "9",
      "ratelimit-reset": "6",
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^req_[0-7][0-9a-z]{25}$/),
    });
  });

  it("hands the handler what it checked", async () => {
    const caller = await makeTestCaller();
    const handler = vi.fn(() => ACCEPTED);
    await endpoint(startChatEndpoint, handler)(post(caller.apiKey, { message: "Hi", templateVars: { a: 1 } }));
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        principal: expect.objectContaining({ accountId: caller.accountId, projectId: caller.projectId }),
        body: { message: "Hi", templateVars: { a: "1" } },
        params: {},
        query: {},
        files: [],
      }),
    );
  });

  it("takes the key as a bearer token too", async () => {
    const { apiKey } = await makeTestCaller();
    const response = await startChat(post(undefined, { message: "Hi" }, { Authorization: `Bearer ${apiKey}` }));
    expect(response.status).toBe(202);
  });

  it("never takes a request id from the client", async () => {
    const { apiKey } = await makeTestCaller();
    const response = await startChat(post(apiKey, { message: "Hi" }, { "X-Request-Id": "mine" }));
    expect(response.headers.get("x-request-id")).not.toBe("mine");
  });

  it("refuses fields of the body in the query, where they would not count", async () => {
    const { apiKey } = await makeTestCaller();
    const response = await startChat(new Request(`${HOST}/api/v1/chat?endUserId=a`, post(apiKey, { message: "Hi" })));
    expect(await errorOf(response)).toMatchObject({ code: "VALIDATION_FAILED", param: "endUserId" });
  });

  it("reads path parameters and query from what the server hands over", async () => {
    const { apiKey } = await makeTestCaller();
    const sessionId = newId("session");
    const get = endpoint(getChatSessionEndpoint, ({ params, query }) => Response.json({ params, query }));
    const request = new Request(`${HOST}/x?endUserId=a#b`, { headers: { "X-API-Key": apiKey } });
    const response = await get(request, { params: Promise.resolve({ sessionId }) });
    expect(await response.json()).toEqual({ params: { sessionId }, query: { endUserId: "a" } });
  });

  it("gives back the room that a large body takes, whatever its call is answered", async () => {
    const { apiKey } = await makeTestCaller();
    const fileContent = "a".repeat(LARGE_BODY_BYTES);
    const failing = endpoint(startChatEndpoint, () => {
      throw new AppError("NOT_FOUND", "It is not there.");
    });
    const statuses: number[] = [];
    for (let each = 0; each < MAX_LARGE_BODIES; each++) {
      statuses.push((await failing(post(apiKey, { message: "Hi", fileContent }))).status);
      statuses.push((await startChat(post(apiKey, { unknown: 1, fileContent }))).status);
      statuses.push((await startChat(post(apiKey, `{"fileContent":"${fileContent}"`))).status);
      statuses.push((await startChat(post(apiKey, { message: "Hi", fileContent }))).status);
    }
    expect(statuses).toEqual(Array.from({ length: MAX_LARGE_BODIES }, () => [404, 400, 400, 202]).flat());
  });

  it("leaves a handler's own response as it is, with the common headers added", async () => {
    const { apiKey } = await makeTestCaller();
    const serve = endpoint(
      startChatEndpoint,
      () => new Response("bytes", { status: 206, headers: { "Cache-Control": "no-cache" } }),
    );
    const response = await serve(post(apiKey, { message: "Hi" }));
    expect(response.status).toBe(206);
    expect(await response.text()).toBe("bytes");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("ratelimit-limit")).not.toBeNull();
  });

  it("asks neither for a key nor counts calls where the definition says so", async () => {
    const open = defineEndpoint({
      method: "GET",
      path: "/open",
      operationId: "open",
      tags: [],
      summary: "Open.",
      auth: "none",
      permission: null,
      response: { status: 200, description: "Yes.", schema: z.object({ ok: z.boolean() }) },
      errors: [],
    });
    const query = vi.spyOn(logDb(), "query");
    const response = await endpoint(open, () => ({ ok: true }))(new Request(`${HOST}/open`));
    expect(await response.json()).toEqual({ ok: true });
    expect(response.headers.get("ratelimit-limit")).toBeNull();
    expect(query).not.toHaveBeenCalled();
  });
});

describe("order of checks", () => {
  // Each row mends one thing more; everything after it is still wrong.
  const wrong: TestCallerOptions = {
    verificationStatus: "pending",
    isApiEnabled: false,
    permissions: ["process"],
    requestsPerMinute: 1,
  };
  const steps: [ErrorCode, TestCallerOptions | "no key" | "unknown key", string, Record<string, string>][] = [
    ["MISSING_API_KEY", "no key", "{", { "Content-Type": "text/plain" }],
    ["INVALID_API_KEY", "unknown key", "{", { "Content-Type": "text/plain" }],
    ["ADDRESS_NOT_ALLOWED", { ...wrong, allowedNetworks: ["203.0.113.7"] }, "{", { "Content-Type": "text/plain" }],
    ["B2B_NOT_VERIFIED", wrong, "{", { "Content-Type": "text/plain" }],
    ["API_DISABLED", { ...wrong, verificationStatus: "verified" }, "{", { "Content-Type": "text/plain" }],
    [
      "INSUFFICIENT_PERMISSION",
      { ...wrong, verificationStatus: "verified", isApiEnabled: true },
      "{",
      { "Content-Type": "text/plain" },
    ],
    ["RATE_LIMITED", { requestsPerMinute: 1 }, "{", { "Content-Type": "text/plain" }],
    ["UNSUPPORTED_MEDIA_TYPE", {}, "{", { "Content-Type": "text/plain" }],
    ["INVALID_JSON", {}, "{", {}],
    ["VALIDATION_FAILED", {}, "{}", {}],
    ["INSUFFICIENT_CREDITS", {}, '{"message":"Hi"}', {}],
  ];

  it.each(steps)("%s comes before everything after it", async (code, who, body, headers) => {
    const caller = typeof who === "string" ? undefined : await makeTestCaller(who);
    const key = who === "no key" ? undefined : (caller?.apiKey ?? newApiKey());
    if (code === "RATE_LIMITED") await startChat(post(key, { message: "Hi" }));
    const serve = endpoint(startChatEndpoint, () => {
      throw new AppError("INSUFFICIENT_CREDITS", "No credits are left.");
    });
    const response = await serve(post(key, body, headers));
    expect((await errorOf(response)).code).toBe(code);
    expect(response.headers.has("ratelimit-limit")).toBe(caller !== undefined);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it.each<[string, string, Record<string, string>, ErrorCode]>([
    ["", "{}", { "Content-Type": "text/plain" }, "UNSUPPORTED_MEDIA_TYPE"],
    ["", "{", {}, "INVALID_JSON"],
    ["", '{"name":5}', {}, "VALIDATION_FAILED"],
    ["?promptTemplate=x", '{"name":"x"}', {}, "VALIDATION_FAILED"],
    ["", '{"name":"x"}', {}, "NOT_FOUND"],
  ])(
    "is the same for an id that cannot exist as for an unknown one: %j %s with %o is %s",
    async (query, body, headers, code) => {
      const { apiKey } = await makeTestCaller();
      const put = endpoint(updateTemplateEndpoint, () => {
        throw new Error("not called");
      });
      const request = new Request(`${HOST}/x${query}`, {
        method: "PUT",
        headers: { "X-API-Key": apiKey, "Content-Type": "application/json", ...headers },
        body,
      });
      expect((await errorOf(await put(request, { params: { id: "tpl_x" } }))).code).toBe(code);
    },
  );

  it("does not count a call that the key may not make", async () => {
    const { apiKey } = await makeTestCaller({ permissions: ["process"], requestsPerMinute: 5 });
    for (let call = 0; call < 3; call++) {
      const response = await startChat(post(apiKey, { message: "Hi" }));
      expect(response.headers.get("ratelimit-remaining")).toBe("5");
    }
  });

  it.each(["pending", "unsubmitted", "more_info", "rejected", "suspended"])(
    "refuses an account that is %s",
    async (verificationStatus) => {
      const { apiKey } = await makeTestCaller({ verificationStatus });
      expect((await errorOf(await startChat(post(apiKey, { message: "Hi" })))).code).toBe("B2B_NOT_VERIFIED");
    },
  );
});

describe("errors", () => {
  it("names the permission that is missing", async () => {
    const { apiKey } = await makeTestCaller({ permissions: ["b2bSend", "process", "templates"] });
    const error = await errorOf(await startChat(post(apiKey, { message: "Hi" })));
    expect(error.message).toContain('"chat"');
  });

  it("tells a client at its limit when to come back", async () => {
    const { apiKey } = await makeTestCaller({ requestsPerMinute: 2 });
    const responses = [];
    for (let call = 0; call < 3; call++) responses.push(await startChat(post(apiKey, { message: "Hi" })));
    expect(responses.map((response) => response.status)).toEqual([202, 202, 429]);
    const last = responses[2] as Response;
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThanOrEqual(29);
    expect(last.headers.get("ratelimit-remaining")).toBe("0");
    expect((await errorOf(last)).message).toMatch(
      /^The limit of 2 requests per minute is reached\. Try again in \d+ s\.$/,
    );
  });

  it("says how to send the key", async () => {
    const response = await startChat(post(undefined, {}));
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="api"');
    expect((await errorOf(response)).message).toContain("X-API-Key");
  });

  it("names each wrong field", async () => {
    const { apiKey } = await makeTestCaller();
    expect(await errorOf(await startChat(post(apiKey, { message: "", extra: 1 })))).toMatchObject({
      code: "VALIDATION_FAILED",
      message: "message must not be empty (1 more in details).",
      param: "message",
      details: [
        { param: "message", message: "must not be empty" },
        { param: "extra", message: "is not a known field" },
      ],
    });
  });

  it.each<[ErrorCode, string, Record<string, string>]>([
    ["UNSUPPORTED_MEDIA_TYPE", "a=1", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["UNSUPPORTED_MEDIA_TYPE", "{}", { "Content-Type": "application/json; charset=utf-16" }],
    ["UNSUPPORTED_MEDIA_TYPE", "{}", { "Content-Encoding": "gzip" }],
    ["UNSUPPORTED_MEDIA_TYPE", "{}", { "Content-Type": "application/jsonp" }],
    ["INVALID_JSON", "[]", {}],
    ["INVALID_JSON", "", {}],
    ["BODY_TOO_LARGE", "{}", { "Content-Length": String(16 * 1024 * 1024 + 1) }],
    ["VALIDATION_FAILED", '{"message":"\\u0000"}', {}],
  ])("answers %s to the body %s with %o", async (code, body, headers) => {
    const { apiKey } = await makeTestCaller();
    expect((await errorOf(await startChat(post(apiKey, body, headers)))).code).toBe(code);
  });

  it("takes JSON with a charset", async () => {
    const { apiKey } = await makeTestCaller();
    const response = await startChat(
      post(apiKey, { message: "Hi" }, { "Content-Type": 'Application/JSON; charset="UTF-8"' }),
    );
    expect(response.status).toBe(202);
  });

  it("answers a malformed id like an unknown one", async () => {
    const { apiKey } = await makeTestCaller();
    const get = endpoint(getChatSessionEndpoint, () => {
      throw new Error("not called");
    });
    const request = new Request(`${HOST}/x`, { headers: { "X-API-Key": apiKey } });
    expect(await errorOf(await get(request, { params: { sessionId: "../etc" } }))).toMatchObject({
      code: "NOT_FOUND",
      message: "The session was not found.",
    });
  });

  it("gives nothing of an unforeseen error away, and logs its cause", async () => {
    const { apiKey } = await makeTestCaller();
    const serve = endpoint(startChatEndpoint, () => {
      throw new Error('relation "secrets" does not exist at /srv/app.js');
    });
    const response = await serve(post(apiKey, { message: "Hi" }));
    const text = JSON.stringify(await errorOf(response));
    expect(response.status).toBe(500);
    expect(text).not.toMatch(/relation|srv|stack/);
  });

  it("answers 503 with Retry-After when the database is away, before and behind the key", async () => {
    const { apiKey } = await makeTestCaller();
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const inHandler = await endpoint(startChatEndpoint, () => Promise.reject(away))(post(apiKey, { message: "Hi" }));
    vi.spyOn(logDb(), "query").mockImplementation(() => Promise.reject(away));
    const atKey = await startChat(post(apiKey, { message: "Hi" }));
    for (const response of [inHandler, atKey]) {
      expect((await errorOf(response)).code).toBe("SERVICE_UNAVAILABLE");
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });
});
