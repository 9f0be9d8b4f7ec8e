import { Agent, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { rawRequest } from "@/e2e/api/support/raw-request";
import type { ApiResponse } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import type { ErrorCode } from "@/lib/domain/errors";

const FIRST_LINES = "GET /api/v1/health HTTP/1.1\r\nHost: x\r\n";

let account: TestAccount;

test.beforeAll(async () => {
  ({ account } = await newCaller());
});

test.describe("calls that HTTP allows and few clients make", () => {
  test("that offer another protocol are answered in this one, also after a page was served", async ({
    request: pages,
  }) => {
    expect((await pages.get(`${suite.url}/docs`)).status()).toBe(200);
    for (const upgrade of ["h2c", "websocket"]) {
      // As Java's client and `curl --http2` send their first call.
      const headers = { connection: "Upgrade, HTTP2-Settings", upgrade, "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA" };
      expect(await statusOf("/api/v1/health", headers)).toBe(200);
    }
  });

  test("to a host that is none are answered as any", async () => {
    for (const host of ["a:b", "localhost:99999", "[::1", "1.2.3.4.5"]) {
      expect(await statusOf("/api/v1/health", { host })).toBe(200);
      expectError(await rawRequest({ method: "GET", path: "/api/v1/account", headers: { host } }), "MISSING_API_KEY");
    }
  });

  test("to the whole address, as to a proxy, are answered as to the path", async () => {
    const { port } = new URL(suite.url);
    for (const host of [`localhost:${port}`, "service.example"]) {
      const lines = await answerTo(`GET http://${host}/api/v1/account?x=1 HTTP/1.1`);
      expect(lines).toMatch(/^HTTP\/1.1 401 /);
      expect(lines).toContain("MISSING_API_KEY");
      expect(await answerTo(`GET http://${host} HTTP/1.1`)).toMatch(/^HTTP\/1.1 200 /);
    }
  });

  test("about no resource at all are answered", async () => {
    expect(await answerTo("OPTIONS * HTTP/1.1")).toMatch(
      /^HTTP\/1.1 204 .*\r\nAllow: GET, HEAD, POST, PUT, DELETE, OPTIONS/is,
    );
  });

  test("by HEAD say how long the answer to GET is", async () => {
    const headers = { "X-API-Key": account.apiKey };
    for (const path of ["/openapi.json", "/api/v1/account", "/api/v1/docs", "/api/v1/nowhere"]) {
      const [get, head] = await Promise.all(
        ["GET", "HEAD"].map((method) =>
          fetch(suite.url + path, { method, headers: { ...headers, "accept-encoding": "identity" } }),
        ),
      );
      const body = (await get?.text()) ?? "";
      expect(head?.status).toBe(get?.status);
      // Figures of the account that change between two calls keep their number of digits.
      expect(head?.headers.get("content-length"), path).toBe(String(Buffer.byteLength(body)));
    }
  });

  test("with a slash at the end are led on, by an answer with an id that nobody keeps", async () => {
    for (const path of ["/api/v1/account", "/api/v1/chat/sessions"]) {
      const response = await fetch(`${suite.url}${path}/?limit=1`, { redirect: "manual" });
      expect(response.status).toBe(308);
      expect(response.headers.get("location")).toBe(`${path}?limit=1`);
      expect(response.headers.get("x-request-id")).toMatch(/^req_/);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });
});

test.describe("what is no call", () => {
  const long = "a".repeat(20_000);
  const REFUSED: [what: string, sent: string, status: number, code: ErrorCode, message: RegExp][] = [
    ["a line that is none", "NOPE\r\n\r\n", 400, "VALIDATION_FAILED", /not well-formed HTTP/],
    ["an unknown method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "VALIDATION_FAILED", /not well-formed HTTP/],
    ["a header that is none", `${FIRST_LINES}bad header\r\n\r\n`, 400, "VALIDATION_FAILED", /not well-formed HTTP/],
    ["headers that are too long", `${FIRST_LINES}X-Long: ${long}\r\n\r\n`, 400, "VALIDATION_FAILED", /16 KB/],
    ["no host", "GET /api/v1/health HTTP/1.1\r\n\r\n", 400, "VALIDATION_FAILED", /no Host header/],
    [
      "two lengths of a body",
      `${FIRST_LINES}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      "VALIDATION_FAILED",
      /not well-formed HTTP/,
    ],
    [
      "a chunk whose extension is too long",
      `POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${long}\r\n`,
      413,
      "BODY_TOO_LARGE",
      /extensions/,
    ],
  ];
  for (const [what, sent, status, code, message] of REFUSED) {
    test(`is answered as any error, and its connection closed: ${what}`, async () => {
      const response = parseAnswer(await allOf(sent));
      expect(response.status).toBe(status);
      expect(response.headers.get("connection")).toBe("close");
      expectError(response, code, { message });
    });
  }

  test("is not a call that expects what nobody knows", async () => {
    expect(await statusOf("/api/v1/health", { expect: "tea" })).toBe(200);
  });
});

/** All that comes back on a connection until the server closes it. */
async function allOf(sent: string): Promise<string> {
  const { hostname, port } = new URL(suite.url);
  const socket = connect(Number(port), hostname);
  socket.write(sent);
  return text(socket);
}

function parseAnswer(answer: string): ApiResponse<unknown> {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) };
}

/** All that comes back on a connection on which this is the request's first line. */
async function answerTo(requestLine: string): Promise<string> {
  const { hostname, port } = new URL(suite.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${requestLine}\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

/** Of a call on a connection of its own; 0 when it was closed without an answer. */
function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const agent = new Agent();
    const done = (status: number) => {
      agent.destroy();
      resolve(status);
    };
    const outgoing = request(suite.url + path, { headers, agent }, (incoming) => {
      incoming.resume();
      done(incoming.statusCode ?? 0);
    });
    outgoing.on("error", () => done(0));
    outgoing.end();
  });
}
