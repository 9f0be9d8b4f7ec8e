import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { account as accountSchema } from "@/lib/contracts/account";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { PLAN_IDS, PLANS } from "@/lib/domain/plans";
import { getAccount } from "@/lib/services/account/get-account";

useServiceDatabase();

const JANUARY_ENDS = new Date("2026-01-31T23:59:59.999Z");
const FEBRUARY = new Date("2026-02-01T00:00:00.000Z");

async function addSession(
  account: TestAccount,
  status: string,
  errorCode: string | null = null,
  projectId = account.projectId,
) {
  const { accountId } = account;
  await prisma().session.create({
    data: { id: newId("session"), accountId, projectId, kind: "chat", status, errorCode },
  });
}

async function addProject({ accountId }: TestAccount): Promise<string> {
  const id = newId("project");
  await prisma().project.create({ data: { id, accountId, name: "Second", callbackSecretEncrypted: "x" } });
  return id;
}

describe("the account", () => {
  it("of a new company has its credits, its plan and nothing used", async () => {
    const account = await createTestAccount({ credits: 77, planId: "starter" });
    expect(accountSchema.strict().parse(await getAccount(account.principal, JANUARY_ENDS))).toEqual({
      id: account.accountId,
      companyName: "Test Company",
      verification: { status: "verified", verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      credits: { balance: 77, reserved: 0, usedThisPeriod: 0 },
      plan: {
        id: "starter",
        name: "Starter",
        tokenLimit: 2_000_000,
        tokensUsed: 0,
        periodStart: "2026-01-01T00:00:00.000Z",
        periodEnd: "2026-02-01T00:00:00.000Z",
      },
      limits: { requestsPerMinute: 300, maxFileBytes: 524_288_000, maxBatchFiles: 50 },
      stats: { sessions: 0, completed: 0, failed: 0, endUsers: 0, requests30d: 0 },
    });
  });

  it.each(PLAN_IDS)("shows the limits of the plan %s", async (planId) => {
    const { principal } = await createTestAccount({ planId });
    const { plan, limits } = await getAccount(principal);
    expect(plan).toMatchObject({ id: planId, name: PLANS[planId].name, tokenLimit: PLANS[planId].tokensPerMonth });
    expect(limits.requestsPerMinute).toBe(PLANS[planId].requestsPerMinute);
  });

  it("shows its own rate limit before the plan's", async () => {
    const { principal } = await createTestAccount({ planId: "free", rateLimitPerMinute: 7 });
    expect((await getAccount(principal)).limits.requestsPerMinute).toBe(7);
  });

  it("counts tokens and credits of the calendar month, which ends with its last millisecond in UTC", async () => {
    const { accountId, principal } = await createTestAccount();
    for (const [month, tokens] of [
      ["2026-01-01", 5_000_000_000],
      ["2026-02-01", 11],
    ] as const) {
      await db().query("INSERT INTO account_periods VALUES ($1, $2, $3, $4)", [
        accountId,
        month,
        tokens,
        tokens % 1_000,
      ]);
    }
    const [january, february] = [await getAccount(principal, JANUARY_ENDS), await getAccount(principal, FEBRUARY)];
    expect(january.plan).toMatchObject({ tokensUsed: 5_000_000_000, periodEnd: "2026-02-01T00:00:00.000Z" });
    expect(january.credits.usedThisPeriod).toBe(0);
    expect(february.plan).toMatchObject({ tokensUsed: 11, periodStart: "2026-02-01T00:00:00.000Z" });
    expect(february.credits.usedThisPeriod).toBe(11);
  });

  it("counts sessions by how their last work ended, over all projects, also when they have expired since", async () => {
    const account = await createTestAccount();
    const other = await addProject(account);
    await addSession(account, "started");
    await addSession(account, "resumed");
    await addSession(account, "completed");
    await addSession(account, "completed", null, other);
    await addSession(account, "expired");
    await addSession(account, "failed", "MODEL_FAILED");
    await addSession(account, "expired", "MODEL_FAILED", other);
    await addSession(account, "canceled", "CANCELED");
    await addSession(account, "expired", "CANCELED");
    const stranger = await createTestAccount();
    await addSession(stranger, "completed");
    expect((await getAccount(account.principal)).stats).toMatchObject({ sessions: 9, completed: 3, failed: 2 });
  });

  it("counts end users of all its projects, and what ended within 30 days with today", async () => {
    const account = await createTestAccount();
    const other = await addProject(account);
    for (const [projectId, endUserId] of [
      [account.projectId, "ada"],
      [account.projectId, "bob"],
      [other, "ada"],
    ] as const) {
      await prisma().endUser.create({ data: { projectId, endUserId } });
    }
    for (const [projectId, day, requests] of [
      [account.projectId, "2026-01-31", 2],
      [other, "2026-01-02", 30],
      [other, "2026-01-01", 500],
      [account.projectId, "2026-02-01", 7_000],
    ] as const) {
      await db().query(
        "INSERT INTO usage_days (project_id, account_id, day, endpoint, requests) VALUES ($1, $2, $3, 'POST /chat', $4)",
        [projectId, account.accountId, day, requests],
      );
    }
    const { stats } = await getAccount(account.principal, JANUARY_ENDS);
    expect(stats).toMatchObject({ endUsers: 3, requests30d: 32 });
  });
});
