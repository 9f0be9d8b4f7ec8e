import { expect, test } from "playwright/test";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { rawRequest } from "@/e2e/api/support/raw-request";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";

const anyone = apiClient(suite.url);

const PATHS = [
  "/api/v1",
  "/api/v1/nothing",
  "/api/v1/chat/a/b/c",
  "/api/v1/end-users",
  "/api/v1/end-users/user-a",
  "/api/v1/Chat",
  "/api/v1/healthz",
  "/api/v1/health/started",
  "/api/v1/%F0%9F%A7%AA",
  "/api/v1/chat%2Fsessions%2F..%2F",
  "/b2b",
  "/b2b/nothing",
  "/b2b/partners",
  "/b2b/webhooks",
  "/api",
  "/api/chat",
  "/api/v2/process",
  "/v1",
  "/v1/chat",
  "/chat",
  "/process/a/b/c",
];

test.describe("a path that nothing serves", () => {
  for (const path of PATHS) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      test(`is a 404 in the API's own shape: ${method} ${path}`, async () => {
        expectError(await rawRequest({ method, path }), "NOT_FOUND");
      });
    }
  }

  test("answers the same with a key, without one and with a wrong one", async () => {
    const { api } = await newCaller();
    const answers = [
      await api.get("/nothing"),
      await anyone.get("/nothing"),
      await anyone.get("/nothing", { "x-api-key": "x" }),
    ];
    for (const answer of answers)
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as (typeof answers)[number]));
  });

  test("names the endpoint that was meant below, beside or with a part of /api/v1 or none", async () => {
    for (const [path, meant] of [
      ["/api/v1/b2b/partners/x/webhooks", "POST /b2b/partners/:partnerId/webhooks"],
      ["/b2b/send", "POST /api/v1/b2b/send"],
      ["/v1/chat", "POST /api/v1/chat"],
      ["/api/process", "POST /api/v1/process"],
      ["/chat", "POST /api/v1/chat"],
      ["/process/batch", "POST /api/v1/process/batch"],
    ] as const) {
      const answer = await rawRequest({ method: "POST", path });
      expectError(answer, "NOT_FOUND");
      expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(`Perhaps ${meant} is meant.`) } });
    }
  });

  test("answers HEAD and OPTIONS with 404 too", async () => {
    const head = await anyone.fetch("/nothing", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([404, ""]);
    expectError(await rawRequest({ method: "OPTIONS", path: "/api/v1/nothing" }), "NOT_FOUND");
  });

  test("does not echo what it was asked for", async () => {
    const response = await anyone.get("/%3Cscript%3Ealert(1)%3C%2Fscript%3E?x=%3Cb%3E");
    expectError(response, "NOT_FOUND");
    expect(JSON.stringify(response.body)).not.toMatch(/script|<b>/);
  });

  test("has another request id at each call", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await anyone.get("/nothing")).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(20);
  });
});
