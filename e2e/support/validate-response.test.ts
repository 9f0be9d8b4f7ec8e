import { describe, expect, it, vi } from "vitest";
import { findProblems, type SeenResponse } from "@/e2e/support/validate-response";

vi.mock("playwright/test", () => ({ test: {} }));

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "x-request-id": "req_1",
  "ratelimit-limit": "60",
  "ratelimit-remaining": "59",
  "ratelimit-reset": "1",
};
const STARTED = { sessionId: "ses_1", status: "started", callbackUrl: null };

function errorOf(code: string) {
  return { error: { code, message: "No.", retryable: false, requestId: "req_1" } };
}

function problemsOf(body: unknown, change: Partial<SeenResponse> & { drop?: string } = {}): string {
  const headers = new Headers(HEADERS);
  if (change.drop) headers.delete(change.drop);
  const seen = { method: "POST", path: "/api/v1/chat", status: 202, headers, text: JSON.stringify(body), ...change };
  return findProblems(seen).problems.join("; ");
}

describe("findProblems", () => {
  it("has nothing to say of an answer that the document describes", () => {
    expect(problemsOf(STARTED)).toBe("");
    expect(problemsOf(errorOf("VALIDATION_FAILED"), { status: 400 })).toBe("");
  });

  it.each([
    ["a field that the document does not know", { ...STARTED, secret: 1 }, {}, /additional properties/],
    ["a field of the wrong type", { ...STARTED, sessionId: 1 }, {}, /sessionId must be string/],
    ["a field that is missing", { sessionId: "ses_1", status: "started" }, {}, /callbackUrl/],
    ["a value that is not listed", { ...STARTED, status: "done" }, {}, /status must be equal/],
    ["a status that is not listed", STARTED, { status: 418 }, /does not list the status 418/],
    ["a code that is not listed for the status", errorOf("NOT_READY"), { status: 400 }, /NOT_READY is not listed/],
    ["a header that is missing", STARTED, { drop: "x-request-id" }, /X-Request-Id is missing/],
    ["a rate limit that is missing", STARTED, { drop: "ratelimit-remaining" }, /RateLimit-Remaining is missing/],
    ["a Content-Type that is missing", STARTED, { drop: "content-type" }, /Content-Type/],
    ["a body that is no JSON", undefined, { text: "<html>" }, /must be object/],
  ] as const)("finds %s", (_, body, change, problem) => {
    expect(problemsOf(body, change)).toMatch(problem);
  });

  it("finds a further field inside of lists and of alternatives", () => {
    const pagination = { limit: 20, offset: 0, total: 0, hasMore: false };
    const list = { method: "GET", path: "/api/v1/templates", status: 200 };
    expect(problemsOf({ data: [], pagination }, list)).toBe("");
    expect(problemsOf({ data: [], pagination: { ...pagination, next: 1 } }, list)).toMatch(/pagination/);
    expect(problemsOf(STARTED, { path: "/api/v1/b2b/send" })).toBe("");
    expect(problemsOf({ ...STARTED, next: 1 }, { path: "/api/v1/b2b/send" })).toMatch(/additional properties/);
  });

  it("takes a literal path before one with a parameter, and knows the host's own paths", () => {
    const nameOf = (method: string, path: string) =>
      findProblems({ method, path, status: 200, headers: new Headers(), text: "" }).endpoint?.operationId;
    expect(nameOf("GET", "/api/v1/chat/sessions")).toBe("listChatSessions");
    expect(nameOf("GET", "/api/v1/chat/ses_1")).toBe("getChatSession");
    expect(nameOf("POST", "/b2b/webhooks/whk_1/test")).toBe("testWebhook");
  });

  it("lets what is not in the document answer with an error alone", () => {
    expect(problemsOf(errorOf("NOT_FOUND"), { path: "/api/v1/nothing", status: 404 })).toBe("");
    expect(problemsOf({ ok: true }, { path: "/api/v1/nothing", status: 200 })).toMatch(/no such path/);
    expect(problemsOf({ ok: true }, { path: "/api/v1/nothing", status: 404 })).toMatch(/error/);
    expect(problemsOf(errorOf("METHOD_NOT_ALLOWED"), { method: "PUT", status: 405 })).toMatch(/Allow is missing/);
    expect(problemsOf("anything", { path: "/files/x", status: 200 })).toBe("");
  });

  it("reads no body of HEAD, and refuses one of 204", () => {
    expect(problemsOf(undefined, { method: "HEAD", path: "/api/v1/chat/ses_1", status: 200, text: "" })).toBe("");
    const stream = { method: "GET", path: "/api/v1/chat/ses_1/stream", status: 204 };
    expect(problemsOf(undefined, { ...stream, text: "" })).toBe("");
    expect(problemsOf({}, stream)).toMatch(/has a body/);
  });
});
