import { connect } from "node:net";
import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { rawRequest } from "@/e2e/api/support/raw-request";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";

let account: TestAccount;
let api: ApiClient;

test.beforeAll(async () => {
  ({ account, api } = await newCaller());
});

test.afterAll(async () => {
  expect(await prisma().session.count({ where: { projectId: account.projectId } }), "nothing was accepted").toBe(0);
});

function post(body: Uint8Array | AsyncIterable<Uint8Array> | string, headers: Record<string, string> = {}) {
  return rawRequest({
    method: "POST",
    path: "/api/v1/chat",
    headers: { "x-api-key": account.apiKey, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? Buffer.from(body) : body,
  });
}

test.describe("400 INVALID_JSON", () => {
  const BODIES: [what: string, body: Uint8Array | string][] = [
    ["no body", ""],
    ["blanks", "  \n "],
    ["no JSON", "message=hello"],
    ["JSON that is cut off", '{"message":"hel'],
    ["a comma too many", '{"message":"hello",}'],
    ["quotes of another kind", "{'message':'hello'}"],
    ["a comment", '{"message":"hello"/* x */}'],
    ["two values", '{"message":"a"}{"message":"b"}'],
    ["NaN", '{"maxCredits":NaN}'],
    ["a raw line end in a text", '{"message":"a\nb"}'],
    ["an array", '[{"message":"hello"}]'],
    ["a text", '"hello"'],
    ["a number", "42"],
    ["null", "null"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0x6d, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ["UTF-16", Buffer.from('{"message":"hello"}', "utf16le")],
    ["arrays nested 100,000 deep", `{"message":${"[".repeat(100_000)}`],
    ["objects nested 100 deep", `${'{"a":'.repeat(100)}1${"}".repeat(100)}`],
    ["a million values", `{"a":[${"1,".repeat(1_000_000)}1]}`],
  ];
  for (const [what, body] of BODIES) {
    test(`for ${what}`, async () => {
      expectError(await post(body), "INVALID_JSON");
    });
  }

  test("does not come for a byte order mark in front", async () => {
    const { api: poor, account: poorAccount } = await newCaller({ credits: 0 });
    await poor.get("/chat/sessions");
    const response = await post(Buffer.from('\ufeff{"message":"hello"}'), { "x-api-key": poorAccount.apiKey });
    expectError(response, "INSUFFICIENT_CREDITS");
  });

  test("of a body that breaks off reaches no one, and accepts nothing", async () => {
    const { port } = new URL(suite.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(
          `POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.apiKey}\r\nContent-Type: application/json\r\n` +
            'Content-Length: 500\r\n\r\n{"message":"hel',
          () => socket.destroy(),
        );
      });
      socket.on("close", () => resolve());
    });
    expect((await api.get("/health")).status).toBe(200);
  });
});

test.describe("415 UNSUPPORTED_MEDIA_TYPE", () => {
  const HEADERS: [what: string, headers: Record<string, string>][] = [
    ["plain text", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["multipart", { "content-type": "multipart/form-data; boundary=x" }],
    ["no type", { "content-type": "" }],
    ["JSON in another charset", { "content-type": "application/json; charset=utf-16" }],
    ["a compressed body", { "content-encoding": "gzip" }],
  ];
  for (const [what, headers] of HEADERS) {
    test(`for ${what}`, async () => {
      expectError(await post('{"message":"hello"}', headers), "UNSUPPORTED_MEDIA_TYPE");
    });
  }
});

test.describe("hostile values", () => {
  const VALUES = [
    "'; DROP TABLE accounts; --",
    "#{7*7}{{7*7}}",
    "<script>alert(1)</script>",
    "../../../etc/passwd",
    "%00",
    "\u202e",
  ];
  for (const value of VALUES) {
    test(`are refused or found nowhere, and never come back: ${JSON.stringify(value)}`, async () => {
      const fields = ["sessionId", "templateId", "endUserId", "callbackUrl"];
      for (const field of fields) {
        const response = await api.post("/chat", { message: "x", [field]: value });
        expect([400, 404]).toContain(response.status);
        expect(JSON.stringify(response.body)).not.toContain(value);
      }
    });
  }

  test("a field's own name comes back cut and clean", async () => {
    const name = `${"n".repeat(5_000)}\u0007`;
    const response = await api.post<{ error: { param: string } }>("/chat", { message: "x", [name]: 1 });
    expectError(response, "VALIDATION_FAILED");
    expect(response.body.error.param.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(response.body).length).toBeLessThan(1_000);
  });

  test("a thousand wrong fields make no answer without end", async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 1]));
    const response = await api.post<{ error: { details: unknown[] } }>("/chat", { message: "x", ...fields });
    expectError(response, "VALIDATION_FAILED");
    expect(response.body.error.details.length).toBeLessThanOrEqual(20);
  });

  test("headers that claim to come from inside change nothing", async () => {
    const headers = {
      "x-middleware-subrequest": "middleware:middleware:middleware",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": "evil.example",
      "x-service-remote-address": "10.0.0.1",
      "x-http-method-override": "DELETE",
      "x-original-url": "/api/v1/health",
    };
    const response = await rawRequest({ method: "GET", path: "/api/v1/chat/sessions", headers });
    expectError(response, "MISSING_API_KEY");
    expect(JSON.stringify(response.body)).not.toContain("evil");
  });
});
