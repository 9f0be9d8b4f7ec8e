import { expect, test } from "playwright/test";
import { newKey, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, TIMESTAMP } from "@/e2e/api/support/expect-error";
import { testReadRefusals } from "@/e2e/api/support/read-refusals";
import { onOneDay } from "@/e2e/support/on-one-day";
import { newCaller } from "@/e2e/support/suite";
import type { AccountRecord } from "@/lib/contracts/account";
import { monthOf } from "@/lib/domain/usage-period";

test.describe("GET /account 200", () => {
  test("has exactly the contract's fields, for a new account", () =>
    onOneDay(async (today) => {
      const { account, api } = await newCaller({ credits: 250, planId: "starter" });
      const { status, headers, body } = await api.get("/account");
      expect(status).toBe(200);
      expectCommonHeaders(headers);
      const month = monthOf(new Date(today));
      expect(body).toEqual({
        id: account.accountId,
        companyName: "Test Company",
        verification: { status: "verified", verifiedAt: expect.stringMatching(TIMESTAMP) },
        credits: { balance: 250, reserved: 0, usedThisPeriod: 0 },
        plan: {
          id: "starter",
          name: "Starter",
          tokenLimit: 2_000_000,
          tokensUsed: 0,
          periodStart: month.start.toISOString(),
          periodEnd: month.end.toISOString(),
        },
        limits: { requestsPerMinute: 300, maxFileBytes: 500 * 1024 * 1024, maxBatchFiles: 50 },
        stats: { sessions: 0, completed: 0, failed: 0, endUsers: 0, requests30d: 0 },
      });
    }));

  test("says null for the token limit of a plan without one", async () => {
    const { account, api } = await newCaller({ planId: "scale" });
    await setTokensUsed(account, 9_000_000_000);
    const { plan } = (await api.get<AccountRecord>("/account")).body;
    expect(plan).toMatchObject({ id: "scale", tokenLimit: null, tokensUsed: 9_000_000_000 });
  });

  test("shows what is reserved while work is open, and what it cost when it has ended", async () => {
    const { api } = await newCaller({ credits: 100 });
    const read = async () => (await api.get<AccountRecord>("/account")).body;
    const started = await api.post<{ sessionId: string }>("/chat", {
      message: "Slow [[first:1200ms]]",
      endUserId: "ada",
    });
    const open = await read();
    expect(open.credits).toMatchObject({ balance: 100, usedThisPeriod: 0 });
    expect(open.credits.reserved).toBeGreaterThan(0);
    expect(open.stats).toMatchObject({ sessions: 1, completed: 0, endUsers: 1, requests30d: 0 });
    const session = await api.waitUntilDone<{ creditsUsed: number; tokensUsed: number }>(
      `/chat/${started.body.sessionId}`,
    );
    const failing = await api.post<{ sessionId: string }>("/chat", { message: "No [[fail:400]]" });
    await api.waitUntilDone(`/chat/${failing.body.sessionId}`);
    const ended = await read();
    expect(ended.credits).toEqual({
      balance: 100 - session.creditsUsed,
      reserved: 0,
      usedThisPeriod: session.creditsUsed,
    });
    expect(ended.plan.tokensUsed).toBe(session.tokensUsed);
    expect(ended.stats).toEqual({ sessions: 2, completed: 1, failed: 1, endUsers: 1, requests30d: 2 });
  });

  test("is the same through every key of the account, and another for another account", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller({ credits: 3 })]);
    const { apiKey } = await newKey(mine.account, { permissions: ["templates"] });
    const first = (await mine.api.get("/account")).body;
    const second = (await mine.api.get("/account", { authorization: `Bearer ${apiKey}` })).body;
    expect(second).toEqual(first);
    expect((await other.api.get<AccountRecord>("/account")).body).toMatchObject({
      id: other.account.accountId,
      credits: { balance: 3 },
    });
  });
});

test.describe("GET /account", () => testReadRefusals("/account"));
