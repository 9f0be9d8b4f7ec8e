import { describe, expect, it } from "vitest";
import { onOtherClock as at } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { getAccount } from "@/lib/services/account/get-account";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKeyForDays } from "@/lib/services/api-keys/create-api-key";
import { getApiKey } from "@/lib/services/api-keys/get-api-key";
import { listApiKeys } from "@/lib/services/api-keys/list-api-keys";
import { getOverview, getPlanMeter } from "@/lib/services/overview/get-overview";
import { getAccountDetail } from "@/lib/services/staff/get-account-detail";
import { getAccountUsage as getUsageForStaff } from "@/lib/services/staff/get-account-usage";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { getAccountUsage } from "@/lib/services/usage/get-usage";

useServiceDatabase();

/** Into another month, whatever day it is. */
const DAYS_OFF = 40;

describe.each([-DAYS_OFF, DAYS_OFF])("a machine whose clock is %i days off", (days) => {
  const there = <T>(work: () => Promise<T>) => at(days * 24, work);

  async function usedAccount() {
    const account = await createTestAccount({ planId: "free" });
    const { turnId } = await acceptTurn(account.principal, chatTurn());
    await endTurn(turnId, null, completedEnd({ tokensIn: 100, tokensOut: 20, credits: 2 }));
    return account;
  }

  it("shows the plan's period in which calls are counted and refused", async () => {
    const account = await usedAccount();
    const record = await there(() => getAccount(account.principal));
    expect(record).toMatchObject({
      credits: { usedThisPeriod: 2 },
      plan: { tokensUsed: 120 },
      stats: { requests30d: 1 },
    });
    expect(record.plan).toEqual((await getAccount(account.principal)).plan);
    expect(await there(() => getPlanMeter(account))).toEqual(await getPlanMeter(account));
    expect((await there(() => getAccountDetail(account.accountId))).usedThisPeriod).toMatchObject({ tokens: 120 });
  });

  it("counts today's usage to the days that are shown unasked", async () => {
    const account = await usedAccount();
    const report = await there(() => getAccountUsage(account.principal, {}));
    expect(report.days.at(-1)).toMatchObject({ requests: 1, tokensUsed: 120 });
    expect((await there(() => getUsageForStaff(account.accountId))).at(-1)).toMatchObject({ tokens: 120 });
    expect((await there(() => getOverview(account, "24h"))).totals).toMatchObject({ creditsUsed: 2 });
  });

  it("shows a key as in use for as long as it takes calls, and no longer", async () => {
    const account = await createTestAccount();
    const fields = { ...account, name: "Short", permissions: ["chat" as const] };
    const { keyId } = await createApiKeyForDays(OPERATOR, fields, 1);
    const ended = await createApiKeyForDays(OPERATOR, fields, 1);
    await db().query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [ended.keyId]);
    const { data } = await there(() => listApiKeys(account, { limit: 20, offset: 0, isUsable: true }));
    const ids = data.map(({ id }) => id);
    expect(ids).toContain(keyId);
    expect(ids).not.toContain(ended.keyId);
    expect(await there(() => getApiKey(account, keyId))).toMatchObject({ status: "active" });
    expect(await there(() => getApiKey(account, ended.keyId))).toMatchObject({ status: "expired" });
  });
});
