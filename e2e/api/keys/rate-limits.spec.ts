import { expect, test } from "playwright/test";
import { newKey } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";

const PATH = "/chat/sessions";

test.describe("rate limits", () => {
  for (const planId of PLAN_IDS) {
    test(`of the plan ${planId} are in the headers of every answer to a key`, async () => {
      const { api } = await newCaller({ planId });
      const { headers } = await api.get(PATH);
      const { requestsPerMinute } = PLANS[planId];
      expect(headers.get("ratelimit-limit")).toBe(String(requestsPerMinute));
      expect(headers.get("ratelimit-remaining")).toBe(String(requestsPerMinute - 1));
      expect(Number(headers.get("ratelimit-reset"))).toBeGreaterThanOrEqual(1);
    });
  }

  test("count down, then refuse with Retry-After, which is enough to wait", async () => {
    // One call more every two seconds.
    const { account, api } = await newCaller({ rateLimitPerMinute: 30 });
    await prisma().rateLimitBucket.create({
      data: { keyId: account.principal.apiKeyId, tokens: 2, updatedAt: new Date() },
    });
    expect((await api.get(PATH)).headers.get("ratelimit-remaining")).toBe("1");
    expect((await api.get(PATH)).headers.get("ratelimit-remaining")).toBe("0");
    const refused = await api.get(PATH);
    expectError(refused, "RATE_LIMITED", { message: /30 requests per minute/ });
    expect(refused.headers.get("ratelimit-limit")).toBe("30");
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("ratelimit-reset")).toMatch(/^(59|60)$/);
    const retryAfter = refused.headers.get("retry-after") ?? "";
    expect(retryAfter).toMatch(/^[12]$/);
    const before = performance.now();
    await expect
      .poll(async () => (await api.get(PATH)).status, { intervals: [Number(retryAfter) * 1_000], timeout: 5_000 })
      .toBe(200);
    expect(performance.now() - before).toBeLessThan(4_500);
  });

  test("let exactly as many calls through as they say when all come at once", async () => {
    const { api } = await newCaller({ rateLimitPerMinute: 20 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => api.get(PATH)));
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(20);
    expect(allowed, "at most one more was refilled meanwhile").toBeLessThanOrEqual(21);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, "RATE_LIMITED");
  });

  test("are each key's own", async () => {
    const { account, api } = await newCaller({ rateLimitPerMinute: 1 });
    const { apiKey } = await newKey(account);
    expect((await api.get(PATH)).status).toBe(200);
    expectError(await api.get(PATH), "RATE_LIMITED");
    expect((await apiClient(suite.url, apiKey).get(PATH)).status).toBe(200);
  });

  test("hold for every endpoint together, and not for the ones that need no key", async () => {
    const { api } = await newCaller({ rateLimitPerMinute: 2 });
    await api.get("/docs");
    await api.get("/process");
    expectError(await api.post("/chat", { message: "Hello" }), "RATE_LIMITED");
    const health = await api.get("/health");
    expect([health.status, health.headers.get("ratelimit-limit")]).toEqual([200, null]);
  });

  test("follow a change of the account's own limit at once", async () => {
    const { account, api } = await newCaller({ rateLimitPerMinute: 5 });
    await api.get(PATH);
    await prisma().account.update({ where: { id: account.accountId }, data: { rateLimitPerMinute: 900 } });
    expect((await api.get(PATH)).headers.get("ratelimit-limit")).toBe("900");
  });
});
