import { expect, test } from "playwright/test";
import { expectCommonHeaders } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

const anyone = apiClient(suite.url);

test.describe("GET /health 200", () => {
  test("needs no key and says status, version and every endpoint", async () => {
    const { status, headers, body } = await anyone.get("/health");
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Object.keys(body).sort()).toEqual(["endpoints", "status", "version"]);
    expect(body).toMatchObject({ status: "ok", version: "1.0.0" });
    expect(Object.keys(body.endpoints as object)).toEqual(ENDPOINTS.map(endpointName));
  });

  for (const [path, status] of [
    ["/health/live", "live"],
    ["/health/ready", "ready"],
  ] as const) {
    test(`has a probe of its own: ${path}`, async () => {
      const answer = await anyone.get(path);
      expect(answer.status).toBe(200);
      expectCommonHeaders(answer.headers);
      expect(answer.body).toEqual({ status });
    });
  }

  test("does not mind a wrong key", async () => {
    expect((await anyone.get("/health", { "x-api-key": "wrong", authorization: "Bearer wrong" })).status).toBe(200);
  });
});
