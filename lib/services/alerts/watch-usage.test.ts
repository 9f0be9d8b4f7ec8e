import { beforeEach, describe, expect, it } from "vitest";
import { callEntryOf } from "@/e2e/support/call-entries";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { PLANS, type PlanId } from "@/lib/domain/plans";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { watchUsage } from "@/lib/services/alerts/watch-usage";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();
/** Accounts of the test before are out of sight: suspended. */
beforeEach(async () => {
  await db().query("UPDATE accounts SET verification_status = 'suspended'");
  await db().query("TRUNCATE alerts, call_logs, account_periods");
});

const PAGE = { limit: 20, offset: 0 };

async function alertsOf(account: TestAccount, state: "open" | "past" = "open") {
  return (await listAlerts(account, PAGE, state)).data;
}

const kindsOf = async (account: TestAccount, state: "open" | "past" = "open") =>
  (await alertsOf(account, state)).map(({ kind }) => kind).sort();

/** As a call that costs so much. */
async function spend({ principal }: TestAccount, credits: number) {
  const { turnId } = await acceptTurn(principal, chatTurn({ creditsToReserve: credits }));
  await endTurn(turnId, null, completedEnd({ credits }));
}

function topUp({ accountId }: TestAccount, amount: number) {
  return addCredits(OPERATOR, { accountId, amount, reason: "Paid" });
}

/** A call that was refused for want of credits. */
function refuse(account: TestAccount) {
  return writeCalls([callEntryOf(account, { status: 402, errorCode: "INSUFFICIENT_CREDITS" })]);
}

async function use({ accountId }: TestAccount, tokens: number, month = "now()") {
  await db().query(
    `INSERT INTO account_periods (account_id, period_start, tokens_used)
     VALUES ($1, date_trunc('month', ${month} AT TIME ZONE 'UTC')::date, $2)
     ON CONFLICT (account_id, period_start) DO UPDATE SET tokens_used = excluded.tokens_used`,
    [accountId, tokens],
  );
}

const withPlan = (planId: PlanId) => createTestAccount({ planId });

describe("credits", () => {
  it("are low below a fifth of what was there after the last top-up, and told of once", async () => {
    const account = await createTestAccount({ credits: 1_000 });
    await spend(account, 800);
    await watchUsage();
    expect(await alertsOf(account), "a fifth is left").toEqual([]);
    await spend(account, 1);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
    expect(await alertsOf(account)).toMatchObject([
      { kind: "credits.low", projectId: null, message: expect.stringMatching(/^199 credits of 1,000 are left/) },
    ]);
    await spend(account, 100);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
  });

  it("are counted from the last top-up, whatever was there before", async () => {
    const account = await createTestAccount({ credits: 1_000 });
    await spend(account, 950);
    await topUp(account, 50);
    await spend(account, 79);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
    await spend(account, 2);
    await watchUsage();
    expect(await alertsOf(account)).toMatchObject([{ message: expect.stringMatching(/^19 credits of 100 are left/) }]);
  });

  it("that were topped up end the alert and no other, and are told of anew when they are low again", async () => {
    const account = await createTestAccount({ credits: 100 });
    const other = { id: newId("alert"), accountId: account.accountId, kind: "key.ended", message: "It ended." };
    await prisma().alert.create({ data: other });
    await spend(account, 90);
    await watchUsage();
    await topUp(account, 100);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 1 });
    expect(await kindsOf(account, "past")).toEqual(["credits.low"]);
    await spend(account, 100);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
    await topUp(account, 100);
    await spend(account, 100);
    expect(await watchUsage(), "also when nobody looked in between").toEqual({ raised: 1, ended: 1 });
  });

  it("are low by what staff took back, too: that is no top-up", async () => {
    const { accountId } = await createTestAccount({ credits: 100 });
    await withdrawCredits(OPERATOR, { accountId, amount: 90, reason: "By mistake" });
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
  });

  it("are not told of again once the alert was put away", async () => {
    const account = await createTestAccount({ credits: 100 });
    await spend(account, 90);
    await watchUsage();
    for (const { id } of await alertsOf(account)) await dismissAlert(await ownerOf(account), account, id);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
  });

  it("that did not suffice for a call are told of, also where they are not low", async () => {
    const account = await createTestAccount({ credits: 100 });
    await refuse(account);
    await refuse(account);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
    expect(await alertsOf(account)).toMatchObject([
      {
        kind: "credits.out",
        message: expect.stringMatching(/^2 calls of the last 24 hours were refused.+100 credits/),
      },
    ]);
    await refuse(account);
    expect(await watchUsage(), "it stands open").toEqual({ raised: 0, ended: 0 });
  });

  it("that an account never had are told of when calls want some", async () => {
    const account = await createTestAccount({ credits: 0 });
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
    await refuse(account);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
  });

  it("that were refused to other calls, or to other accounts, are nothing to be told of", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    await writeCalls([callEntryOf(account, { status: 402, errorCode: "TOKEN_LIMIT_REACHED" })]);
    await refuse(other);
    await watchUsage();
    expect(await alertsOf(account)).toEqual([]);
    expect(await kindsOf(other)).toEqual(["credits.out"]);
  });

  it("end the alert of refused calls by a top-up, and by a day without any", async () => {
    const [paid, quiet] = [await createTestAccount(), await createTestAccount()];
    await refuse(paid);
    await refuse(quiet);
    await watchUsage();
    await topUp(paid, 10);
    await db().query("UPDATE call_logs SET created_at = now() - interval '25 hours' WHERE account_id = $1", [
      quiet.accountId,
    ]);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 2 });
  });

  it("refuse calls for days with one alert; a day after it was put away it is raised anew, not before", async () => {
    const account = await createTestAccount({ credits: 0 });
    await db().query("UPDATE accounts SET created_at = now() - interval '3 days' WHERE id = $1", [account.accountId]);
    await refuse(account);
    await watchUsage();
    const raised = (ago: string) => db().query("UPDATE alerts SET created_at = now() - $1::interval", [ago]);
    await raised("25 hours");
    expect(await watchUsage(), "it stands open").toEqual({ raised: 0, ended: 0 });
    for (const { id } of await alertsOf(account)) await dismissAlert(await ownerOf(account), account, id);
    await raised("23 hours");
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
    await raised("25 hours");
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
  });
});

describe("the plan's tokens", () => {
  it("are told of from four fifths on, and when they are used up; the later alert ends the earlier", async () => {
    const account = await withPlan("starter");
    await use(account, 1_599_999);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
    await use(account, 1_600_000);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
    expect(await alertsOf(account)).toMatchObject([
      {
        kind: "tokens.low",
        message: expect.stringMatching(/^1,600,000 of the 2,000,000 tokens that the plan Starter/),
      },
    ]);
    await use(account, 2_000_000);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 1 });
    expect(await alertsOf(account)).toMatchObject([
      { kind: "tokens.out", message: expect.stringMatching(/until 1 [A-Z][a-z]+ 20\d\d, or until/) },
    ]);
    expect(await watchUsage(), "told once").toEqual({ raised: 0, ended: 0 });
  });

  it("and credits of one account are no other's: whoever has plenty hears nothing, and each is told", async () => {
    const [first, second, beside] = [await withPlan("free"), await withPlan("free"), await withPlan("free")];
    for (const account of [first, second]) {
      await spend(account, 900);
      await use(account, PLANS.free.tokensPerMonth);
      await use(beside, 1);
      await topUp(await withPlan("scale"), 50_000);
      expect(await watchUsage()).toEqual({ raised: 2, ended: 0 });
      expect(await kindsOf(account)).toEqual(["credits.low", "tokens.out"]);
    }
    expect(await kindsOf(beside)).toEqual([]);
  });

  it("of a larger plan end it; of the next one that is nearly used up are told of", async () => {
    const account = await withPlan("free");
    await use(account, 90_000);
    await watchUsage();
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "starter" });
    expect(await watchUsage()).toEqual({ raised: 0, ended: 1 });
    await use(account, 1_700_000);
    expect(await watchUsage()).toEqual({ raised: 1, ended: 0 });
  });

  it("of another month are nothing to be told of, and end with it", async () => {
    const account = await withPlan("free");
    await use(account, 100_000, "(now() - interval '40 days')");
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
    await use(account, 100_000);
    await watchUsage();
    await db().query(
      "UPDATE account_periods SET period_start = '2020-01-01' WHERE tokens_used = 100000 AND period_start > now() - interval '32 days'",
    );
    expect(await watchUsage()).toEqual({ raised: 0, ended: 1 });
  });

  it("without a limit never end", async () => {
    await use(await withPlan("scale"), 900_000_000_000);
    expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
  });
});

it("leaves suspended accounts alone: they can do nothing with it", async () => {
  const account = await withPlan("free");
  await spend(account, 990);
  await refuse(account);
  await use(account, 100_000);
  await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "Abuse" });
  expect(await watchUsage()).toEqual({ raised: 0, ended: 0 });
  expect(await alertsOf(account)).toEqual([]);
});
