import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { watchLimits } from "@/lib/services/alerts/watch-limits";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

const PAGE = { limit: 20, offset: 0 };
const NOTHING = { raised: 0, ended: 0 };

let account: TestAccount;

beforeEach(async () => {
  await db().query("TRUNCATE alerts");
  await db().query("UPDATE projects SET credits_per_month = NULL");
  await db().query("UPDATE api_keys SET credits_per_month = NULL");
  account = await createTestAccount();
});

const alerts = async (state: "open" | "past" = "open", of = account) => (await listAlerts(of, PAGE, state)).data;

async function spend(credits: number, { principal } = account): Promise<void> {
  const { turnId } = await acceptTurn(principal, chatTurn({ creditsToReserve: credits }));
  await endTurn(turnId, null, completedEnd({ credits }));
}

const limitProject = (creditsPerMonth: number | null, { projectId: id } = account) =>
  prisma().project.update({ where: { id }, data: { creditsPerMonth } });

const limitKey = (creditsPerMonth: number | null, of = account) =>
  limitApiKey(OPERATOR, of, { keyId: of.principal.apiKeyId, creditsPerMonth });

/** As if all of it had been used last month. */
async function useLastMonth(): Promise<void> {
  for (const table of ["usage_totals", "usage_key_days"]) {
    await db().query(`UPDATE ${table} SET day = day - interval '1 month' WHERE project_id = $1`, [account.projectId]);
  }
}

describe("a project's limit", () => {
  it("is told of from four fifths on, and when it is reached; the later alert ends the earlier", async () => {
    await limitProject(1_000);
    await spend(799);
    expect(await watchLimits()).toEqual(NOTHING);
    await spend(1);
    expect(await watchLimits()).toEqual({ raised: 1, ended: 0 });
    const { projectId } = account;
    expect(await alerts()).toMatchObject([
      {
        kind: "limit.low",
        projectId,
        subjectId: null,
        message: expect.stringMatching(
          /^The project “.+” may use 1,000 credits a month, and 800 are used\. When all are, its calls are refused until 1 [A-Z][a-z]+ 20\d\d/,
        ),
      },
    ]);
    await spend(100);
    expect(await watchLimits(), "told once").toEqual(NOTHING);
    await spend(100);
    expect(await watchLimits()).toEqual({ raised: 1, ended: 1 });
    expect(await alerts()).toMatchObject([
      {
        kind: "limit.out",
        projectId,
        subjectId: null,
        message: expect.stringMatching(/PROJECT_LIMIT_REACHED until 1 /),
      },
    ]);
    expect(await watchLimits()).toEqual(NOTHING);
  });

  it("is of one project: what another of the account, or another account, used is nothing to it", async () => {
    const [second, other] = [await addTestProject(account, "Second"), await createTestAccount()];
    for (const each of [account, second, other]) await limitProject(10, each);
    await spend(8, second);
    await spend(10, other);
    expect(await watchLimits()).toEqual({ raised: 2, ended: 0 });
    expect(await alerts()).toMatchObject([{ kind: "limit.low", projectId: second.projectId }]);
    expect(await alerts("open", other)).toMatchObject([{ kind: "limit.out", projectId: other.projectId }]);
    await limitProject(100, second);
    expect(await watchLimits()).toEqual({ raised: 0, ended: 1 });
    expect(await alerts("open", other)).toHaveLength(1);
  });

  it.each([
    ["raised", 100],
    ["lifted", null],
  ] as const)("that is %s ends the alert, and no other", async (_, to) => {
    await limitProject(10);
    await spend(10);
    await watchLimits();
    const { accountId } = account;
    const other = { id: newId("alert"), accountId, kind: "key.ended", message: "It ended." };
    await prisma().alert.create({ data: other });
    await limitProject(to);
    expect(await watchLimits()).toEqual({ raised: 0, ended: 1 });
    expect(await alerts("past")).toMatchObject([{ kind: "limit.out" }]);
  });

  it("is told of anew when a higher one is nearly used up, and not when an alert was put away", async () => {
    await limitProject(10);
    await spend(9);
    await watchLimits();
    for (const { id } of await alerts()) await dismissAlert(await ownerOf(account), account, id);
    expect(await watchLimits()).toEqual(NOTHING);
    await limitProject(11);
    expect(await watchLimits()).toEqual({ raised: 1, ended: 0 });
  });

  it("ends with its month, and is told of in each", async () => {
    await limitProject(10);
    await spend(10);
    await watchLimits();
    await useLastMonth();
    expect(await watchLimits()).toEqual({ raised: 0, ended: 1 });
    await db().query("UPDATE alerts SET created_at = created_at - interval '1 month'");
    await spend(10);
    expect(await watchLimits()).toEqual({ raised: 1, ended: 0 });
  });
});

describe("a key's limit", () => {
  it("is told of with the key's name and end, beside its project's", async () => {
    await limitProject(100);
    await limitKey(10);
    await spend(10);
    expect(await watchLimits()).toEqual({ raised: 1, ended: 0 });
    const { projectId, principal } = account;
    expect(await alerts()).toMatchObject([
      {
        kind: "limit.out",
        projectId,
        subjectId: principal.apiKeyId,
        message: expect.stringMatching(
          /^The key “.+” \(….{4}\) of the project “.+” may use 10 credits a month.+KEY_LIMIT_REACHED/,
        ),
      },
    ]);
    await limitProject(10);
    expect(await watchLimits()).toEqual({ raised: 1, ended: 0 });
    expect(await alerts()).toHaveLength(2);
    await useLastMonth();
    expect(await watchLimits()).toEqual({ raised: 0, ended: 2 });
  });

  it("goes on where it took over from another, which is told of no more", async () => {
    await limitKey(10);
    await spend(8);
    await watchLimits();
    const { keyId } = await rotateApiKey(OPERATOR, account, { keyId: account.principal.apiKeyId, overlapHours: 24 });
    expect(await watchLimits()).toEqual({ raised: 1, ended: 1 });
    expect(await alerts()).toMatchObject([{ kind: "limit.low", subjectId: keyId }]);
  });

  it("of a key that is revoked, or has ended, is nothing to be told of", async () => {
    const ended = await createTestAccount();
    for (const each of [account, ended]) {
      await limitKey(10, each);
      await spend(10, each);
    }
    expect(await watchLimits()).toEqual({ raised: 2, ended: 0 });
    await revokeApiKey(OPERATOR, { keyId: account.principal.apiKeyId, scope: account });
    await db().query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [
      ended.principal.apiKeyId,
    ]);
    expect(await watchLimits()).toEqual({ raised: 0, ended: 2 });
  });
});

it("leaves suspended accounts alone: they can do nothing with it", async () => {
  await limitProject(10);
  await limitKey(10);
  await spend(10);
  await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "Abuse" });
  expect(await watchLimits()).toEqual(NOTHING);
});
