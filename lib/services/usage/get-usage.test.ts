import { describe, expect, it } from "vitest";
import { onOneDay } from "@/e2e/support/on-one-day";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { usageReport } from "@/lib/contracts/usage";
import { db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { getAccountUsage, getUsage } from "@/lib/services/usage/get-usage";

useServiceDatabase({ CREDIT_PRICE: "0.01", CREDIT_CURRENCY: "EUR" });

interface UsedDay {
  day: string;
  endpoint?: string;
  endUserId?: string;
  requests?: number;
  tokensIn?: number;
  tokensOut?: number;
  credits?: number;
}

async function use({ accountId, projectId }: TestAccount, used: UsedDay): Promise<void> {
  const {
    day,
    endpoint = "POST /chat",
    endUserId = "",
    requests = 1,
    tokensIn = 10,
    tokensOut = 5,
    credits = 1,
  } = used;
  await db().query(
    `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [projectId, accountId, day, endpoint, endUserId, requests, tokensIn, tokensOut, credits],
  );
}

const NOW = new Date("2026-03-01T12:00:00.000Z");
const NONE = {
  requests: 0,
  tokensIn: 0,
  tokensOut: 0,
  tokensUsed: 0,
  creditsUsed: 0,
  cost: { credits: 0, amount: 0, currency: "EUR" },
};

describe("usage", () => {
  it("is 30 days of zeros before the first use", async () => {
    const { principal } = await createTestAccount();
    const report = await getUsage(principal, {}, NOW);
    expect(report).toMatchObject({ from: "2026-01-31", to: "2026-03-01", totals: NONE, endpoints: [] });
    expect(report.days).toHaveLength(30);
    expect(report.days[0]).toEqual({ date: "2026-01-31", ...NONE });
    expect(report.days[29]).toEqual({ date: "2026-03-01", ...NONE });
  });

  it("adds up per day and per endpoint, with zeros between, and costs what the credits cost", async () => {
    const account = await createTestAccount();
    await use(account, { day: "2026-02-01", tokensIn: 100, tokensOut: 50, credits: 3 });
    await use(account, { day: "2026-02-01", endpoint: "POST /process", requests: 2, tokensIn: 1_000, credits: 7 });
    await use(account, { day: "2026-02-03", endUserId: "ada", credits: 2 });
    const report = await getUsage(account.principal, { from: "2026-02-01", to: "2026-02-03" }, NOW);
    expect(report).toEqual({
      from: "2026-02-01",
      to: "2026-02-03",
      totals: { requests: 4, tokensIn: 1_110, tokensOut: 60, tokensUsed: 1_170, creditsUsed: 12, cost: cost(12) },
      days: [
        {
          date: "2026-02-01",
          requests: 3,
          tokensIn: 1_100,
          tokensOut: 55,
          tokensUsed: 1_155,
          creditsUsed: 10,
          cost: cost(10),
        },
        { date: "2026-02-02", ...NONE },
        { date: "2026-02-03", requests: 1, tokensIn: 10, tokensOut: 5, tokensUsed: 15, creditsUsed: 2, cost: cost(2) },
      ],
      endpoints: [
        {
          endpoint: "POST /chat",
          requests: 2,
          tokensIn: 110,
          tokensOut: 55,
          tokensUsed: 165,
          creditsUsed: 5,
          cost: cost(5),
        },
        {
          endpoint: "POST /process",
          requests: 2,
          tokensIn: 1_000,
          tokensOut: 5,
          tokensUsed: 1_005,
          creditsUsed: 7,
          cost: cost(7),
        },
      ],
    });
  });

  it("takes the first and the last day whole, and nothing beside them", async () => {
    const account = await createTestAccount();
    for (const day of ["2026-01-30", "2026-01-31", "2026-03-01", "2026-03-02"]) await use(account, { day });
    const report = await getUsage(account.principal, {}, new Date("2026-03-01T23:59:59.999Z"));
    expect(report.totals.requests).toBe(2);
    const next = await getUsage(account.principal, {}, new Date("2026-03-02T00:00:00.000Z"));
    expect(next.days.map(({ requests }) => requests).reduce((a, b) => a + b)).toBe(2);
    expect(next).toMatchObject({ from: "2026-02-01", to: "2026-03-02" });
  });

  it("of a project is of it alone, and of one end user when asked", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const day = "2026-02-10";
    await use(mine, { day, endUserId: "ada", credits: 2 });
    await use(mine, { day, endUserId: "bob", credits: 3 });
    await use(mine, { day, credits: 4 });
    await use(theirs, { day, endUserId: "ada", credits: 100 });
    await use({ ...mine, projectId: "prj_other" }, { day, endUserId: "ada", credits: 50 });
    const credits = async (endUserId?: string) =>
      (await getUsage(mine.principal, { ...(endUserId !== undefined && { endUserId }) }, NOW)).totals.creditsUsed;
    expect(await credits()).toBe(9);
    expect(await credits("ada")).toBe(2);
    expect(await credits("bob")).toBe(3);
    expect(await credits("eve")).toBe(0);
  });

  it("of an account adds up all its projects; of one end user it stays with the key's project", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const other = { ...mine, projectId: "prj_of_mine" };
    await use(mine, { day: "2026-02-10", endUserId: "ada", requests: 1, tokensIn: 20, tokensOut: 10, credits: 2 });
    await use(other, { day: "2026-02-10", endUserId: "ada", requests: 2, tokensIn: 30, tokensOut: 20, credits: 50 });
    await use(other, { day: "2026-02-11", endpoint: "POST /process", credits: 7 });
    await use(other, { day: "2026-01-30", credits: 9 });
    await use(theirs, { day: "2026-02-10", endUserId: "ada", credits: 100 });
    const usage = await getAccountUsage(mine.principal, {}, NOW);
    expect(usage.totals).toMatchObject({ requests: 4, tokensIn: 60, tokensOut: 35, creditsUsed: 59 });
    expect(usage.days.filter(({ requests }) => requests > 0)).toMatchObject([
      { date: "2026-02-10", requests: 3, creditsUsed: 52 },
      { date: "2026-02-11", requests: 1, creditsUsed: 7 },
    ]);
    expect(usage.endpoints).toMatchObject([
      { endpoint: "POST /chat", tokensIn: 50, tokensOut: 30, creditsUsed: 52 },
      { endpoint: "POST /process", creditsUsed: 7 },
    ]);
    expect(await getAccountUsage(mine.principal, { endUserId: "ada" }, NOW)).toEqual(
      await getUsage(mine.principal, { endUserId: "ada" }, NOW),
    );
  });

  it("fits its contract with sums beyond 32 bits", async () => {
    const account = await createTestAccount();
    for (const day of ["2026-02-10", "2026-02-11"])
      await use(account, { day, tokensIn: 9_000_000_000_000, credits: 2_000_000_000 });
    const report = usageReport.parse(await getUsage(account.principal, {}, NOW));
    expect(report.totals).toMatchObject({ tokensIn: 18_000_000_000_000, creditsUsed: 4_000_000_000 });
  });

  it("refuses what is no period", async () => {
    const { principal } = await createTestAccount();
    await expect(getUsage(principal, { from: "2026-02-02", to: "2026-02-01" }, NOW)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param: "from",
    });
  });

  it("counts work when it ends, each once, and only completed work costs", () =>
    onOneDay(async (today) => {
      const account = await createTestAccount();
      const accept = () => acceptTurn(account.principal, chatTurn({ creditsToReserve: 5 }));
      const [done, failed] = [await accept(), await accept(), await accept()];
      expect((await getUsage(account.principal, {})).totals).toEqual(NONE);
      const answer = completedEnd({ tokensIn: 30, tokensOut: 12, credits: 2 });
      await endTurn(done.turnId, null, answer);
      await endTurn(done.turnId, null, answer);
      await endTurn(failed.turnId, null, { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." });
      const report = await getUsage(account.principal, {});
      expect(report.totals).toEqual({
        requests: 2,
        tokensIn: 30,
        tokensOut: 12,
        tokensUsed: 42,
        creditsUsed: 2,
        cost: cost(2),
      });
      expect(report.days.at(-1)).toEqual({ date: today, ...report.totals });
    }));
});

function cost(credits: number) {
  return { credits, amount: credits / 100, currency: "EUR" };
}
