import { beforeEach, describe, expect, it } from "vitest";
import { onOneDay } from "@/e2e/support/on-one-day";
import { receivedAt } from "@/e2e/support/received-at";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { overviewQuery } from "@/lib/contracts/overview";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { getOverview } from "@/lib/services/overview/get-overview";
import { createTemplate } from "@/lib/services/templates/create-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

const NOTHING = { requests: 0, clientErrors: 0, serverErrors: 0, tokensIn: 0, tokensOut: 0, creditsUsed: 0 };

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

function call({ principal }: TestAccount, status: number, at: Date): CallLogEntry {
  const { accountId, projectId, apiKeyId } = principal;
  const ids = { id: newId("call"), accountId, projectId, apiKeyId, requestId: newId("request") };
  const rest = { errorCode: null, durationMs: 1, ip: null, userAgent: null, sessionId: null, endUserId: null };
  const receivedAtMs = receivedAt(at);
  return { ...ids, ...rest, endpoint: "POST /chat", path: "/x", status, isStart: false, summary: {}, receivedAtMs };
}

async function answer({ principal }: TestAccount, credits: number) {
  const { turnId } = await acceptTurn(principal, chatTurn({ creditsToReserve: credits }));
  await endTurn(turnId, null, completedEnd({ tokensIn: 30, tokensOut: 12, credits }));
}

const stepsOf = async () => {
  const { steps } = await getOverview(account, "7d");
  return steps.filter(({ isDone }) => isDone).map(({ step }) => step);
};

describe("getOverview", () => {
  it("counts calls by hour and by day, refused and failed ones apart, and no one else's", async () => {
    const now = new Date("2026-05-10T10:20:00.000Z");
    const other = await createTestAccount();
    const at = (time: string) => new Date(`2026-05-${time}.000Z`);
    await writeCalls([
      call(account, 202, at("10T10:00:01")),
      call(account, 404, at("10T10:19:59")),
      call(account, 500, at("10T09:59:50")),
      call(account, 200, at("09T11:00:01")),
      call(account, 429, at("09T10:59:50")),
      call(other, 200, at("10T10:00:01")),
    ]);
    const day = await getOverview(account, "24h", now);
    expect(day.unit).toBe("hour");
    expect(day.points).toHaveLength(24);
    expect(day.points.at(-1)).toEqual({ ...NOTHING, at: "2026-05-10T10:00:00.000Z", requests: 2, clientErrors: 1 });
    expect(day.points.at(-2)).toMatchObject({ requests: 1, serverErrors: 1 });
    expect(day.points[0]).toMatchObject({ at: "2026-05-09T11:00:00.000Z", requests: 1 });
    expect(day.totals).toMatchObject({ requests: 4, clientErrors: 1, serverErrors: 1 });
    const week = await getOverview(account, "7d", now);
    expect(week.points.slice(-2)).toEqual([
      { ...NOTHING, at: "2026-05-09T00:00:00.000Z", requests: 2, clientErrors: 1 },
      { ...NOTHING, at: "2026-05-10T00:00:00.000Z", requests: 3, clientErrors: 1, serverErrors: 1 },
    ]);
  });

  it("counts a batch of calls that is written twice once, also from several writers at once", async () => {
    const now = new Date();
    const batches = Array.from({ length: 8 }, () => Array.from({ length: 20 }, () => call(account, 200, now)));
    await Promise.all([...batches, ...batches].map((batch) => writeCalls(batch)));
    expect((await getOverview(account, "24h", now)).totals.requests).toBe(160);
  });

  it("has the same tokens and credits by hour and by day as the account was charged", () =>
    onOneDay(async () => {
      account = await createTestAccount();
      await answer(account, 3);
      await answer(account, 4);
      const used = { tokensIn: 60, tokensOut: 24, creditsUsed: 7 };
      const now = new Date();
      const [hours, days] = [await getOverview(account, "24h", now), await getOverview(account, "90d", now)];
      expect(hours.totals).toMatchObject(used);
      expect(days.points.at(-1)).toMatchObject(used);
      expect(days.totals).toEqual(hours.totals);
      expect(hours.plan).toMatchObject({
        id: "growth",
        tokenLimit: 20_000_000,
        tokensUsed: 84,
        credits: { balance: 993, reserved: 0, usedThisPeriod: 7 },
      });
      expect(hours.plan.periodEnd > now.toISOString()).toBe(true);
    }));

  it("adds up an hour that is over once, at its own edges, and what came since at each look", async () => {
    const hour = (ago: number) => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - ago * 3_600_000);
    const charge = (at: Date, credits: number, of = account) =>
      db().query(
        `INSERT INTO ledger_entries (id, account_id, project_id, kind, amount, balance_after, tokens_in, tokens_out, created_at)
         VALUES ($1, $2, $3, 'charge', $4, 0, 10, 1, $5)`,
        [newId("ledger"), of.accountId, of.projectId, -credits, at],
      );
    await charge(hour(3), 1);
    await charge(new Date(hour(2).getTime() - 1), 2);
    await charge(hour(2), 4);
    await charge(hour(30), 100);
    await charge(hour(3), 500, await createTestAccount());
    const look = async () => {
      const { points, totals } = await getOverview(account, "24h");
      return { hours: points.slice(-4, -2).map(({ creditsUsed }) => creditsUsed), total: totals.creditsUsed };
    };
    expect(await look()).toEqual({ hours: [3, 4], total: 7 });
    await charge(new Date(), 8);
    for (let time = 0; time < 2; time++) expect(await look()).toEqual({ hours: [3, 4], total: 15 });
    const { rows } = await db().query("SELECT 1 FROM usage_hours WHERE project_id = $1", [account.projectId]);
    expect([22, 23]).toContain(rows.length);
    await db().query("UPDATE usage_hours SET credits = 70 WHERE project_id = $1 AND hour = $2", [
      account.projectId,
      hour(3),
    ]);
    expect((await look()).hours).toEqual([70, 4]);
  });

  it("is right for looks at once", async () => {
    await answer(account, 3);
    const looks = await Promise.all(Array.from({ length: 8 }, () => getOverview(account, "24h")));
    expect(looks.map(({ totals }) => totals.creditsUsed)).toEqual(looks.map(() => 3));
  });

  it("ticks the first steps as they are done", async () => {
    await db().query("UPDATE accounts SET verification_status = 'pending' WHERE id = $1", [account.accountId]);
    await db().query("DELETE FROM api_keys WHERE project_id = $1", [account.projectId]);
    expect(await stepsOf()).toEqual([]);
    const suspend = `UPDATE accounts SET verification_status = 'suspended', verified_at = $2 WHERE id = $1`;
    await db().query(suspend, [account.accountId, null]);
    expect(await stepsOf()).toEqual([]);
    await db().query(suspend, [account.accountId, new Date()]);
    expect(await stepsOf()).toEqual(["verify"]);
    await db().query("UPDATE accounts SET verification_status = 'verified' WHERE id = $1", [account.accountId]);
    await writeCalls([call(account, 401, new Date())]);
    await createTemplate(account, { name: "A", promptTemplate: "B" });
    expect(await stepsOf()).toEqual(["verify", "first-call", "template"]);
    await answer(account, 1);
    expect(await stepsOf()).toContain("first-answer");
    await db().query("UPDATE sessions SET status = 'expired' WHERE project_id = $1", [account.projectId]);
    expect(await stepsOf()).toContain("first-answer");
    await db().query("UPDATE sessions SET error_code = 'MODEL_ERROR' WHERE project_id = $1", [account.projectId]);
    expect(await stepsOf()).not.toContain("first-answer");
  });

  it("shows the newest open alerts and how many there are", async () => {
    for (let index = 0; index < 7; index++) {
      await db().query(
        "INSERT INTO alerts (id, account_id, kind, message, created_at) VALUES ($1, $2, 'x', $3, now() + $4 * interval '1 s')",
        [newId("alert"), account.accountId, `Alert ${index}`, index],
      );
    }
    const { alerts, alertCount } = await getOverview(account, "7d");
    expect(alerts.map(({ message }) => message)).toEqual([6, 5, 4, 3, 2].map((index) => `Alert ${index}`));
    expect(alertCount).toBe(7);
  });

  it("does not find a project of another account", async () => {
    const other = await createTestAccount();
    const scope = { accountId: account.accountId, projectId: other.projectId };
    await expect(getOverview(scope, "7d")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("takes a week when the address asks for an unknown range", () => {
    expect(overviewQuery.parse({ range: "1y" })).toEqual({ range: "7d" });
    expect(overviewQuery.parse({ range: "90d" })).toEqual({ range: "90d" });
  });
});
