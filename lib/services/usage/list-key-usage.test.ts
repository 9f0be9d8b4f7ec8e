import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { NEWEST_MIGRATION } from "@/lib/db/newest-migration";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { dateOf } from "@/lib/domain/usage-period";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { checkBooks } from "@/lib/services/credits/check-books";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { exportKeyUsageCsv } from "@/lib/services/usage/export-key-usage-csv";
import { getUsage } from "@/lib/services/usage/get-usage";
import { listKeyUsage } from "@/lib/services/usage/list-key-usage";

const PERIOD = { from: "2026-03-01", to: "2026-03-31" };
const MIGRATION = "20261127190000_usage_by_key";

let account: TestAccount;

useServiceDatabase({ CREDIT_PRICE: "0.02", CREDIT_CURRENCY: "EUR" });

beforeEach(async () => {
  account = await createTestAccount();
});

async function makeKey(name: string, of = account, expiresAt?: Date): Promise<string> {
  const { accountId, projectId } = of;
  const { keyId } = await createApiKey(OPERATOR, {
    accountId,
    projectId,
    name,
    permissions: PERMISSIONS,
    ...(expiresAt && { expiresAt }),
  });
  return keyId;
}

/** What the end of a turn writes, on another day. */
async function use(day: string, keyId: string, credits: number, of = account) {
  const { accountId, projectId } = of;
  await db().query(
    `INSERT INTO usage_key_days AS k (project_id, day, api_key_id, requests, tokens_in, tokens_out, credits)
     VALUES ($1, $2, $3, 1, 10, 5, $4)`,
    [projectId, day, keyId, credits],
  );
  await useUnknown(day, credits, { accountId, projectId });
}

/** Of which only the sums of the project know. */
function useUnknown(
  day: string,
  credits: number,
  { accountId, projectId }: Pick<TestAccount, "accountId" | "projectId">,
) {
  return db().query(
    `INSERT INTO usage_days AS u (project_id, account_id, day, endpoint, requests, tokens_in, tokens_out, credits)
     VALUES ($1, $2, $3, 'POST /chat', 1, 10, 5, $4)
     ON CONFLICT (project_id, day, endpoint, end_user_id) DO UPDATE SET requests = u.requests + 1,
       tokens_in = u.tokens_in + 10, tokens_out = u.tokens_out + 5, credits = u.credits + $4`,
    [projectId, accountId, day, credits],
  );
}

async function work(credits: number, apiKeyId: string | null, of = account) {
  const principal = { ...of.principal, apiKeyId };
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn({ creditsToReserve: 5 }));
  await endTurn(turnId, null, completedEnd({ tokensIn: 30, tokensOut: 12, credits }));
  return { turnId, sessionId };
}

/** What these tests do counts on the day on which they began, or on the next one where midnight comes between. */
const BEGAN = dateOf(new Date());
const sinceBegan = () => ({ from: BEGAN, to: dateOf(new Date()) });
const list = async (of = account, period = PERIOD) =>
  (await listKeyUsage(of, period)).map(({ source, key, requests, creditsUsed }) => [
    key?.name ?? source,
    requests,
    creditsUsed,
  ]);

describe("usage by API key", () => {
  it("is there as soon as work has ended, failed work without credits too, and what the panel begins has no key", async () => {
    const second = await makeKey("Second");
    await work(2, account.principal.apiKeyId);
    await work(3, second);
    await work(1, second);
    await work(1, null);
    const { turnId } = await acceptTurn({ ...account.principal, apiKeyId: second }, chatTurn());
    await endTurn(turnId, null, { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." });
    expect(await listKeyUsage(account, sinceBegan())).toMatchObject([
      { key: { id: second, name: "Second", isUsable: true }, requests: 3, tokensIn: 60, tokensOut: 24, creditsUsed: 4 },
      { key: { id: account.principal.apiKeyId }, requests: 1, tokensIn: 30, tokensOut: 12, creditsUsed: 2 },
      { source: "panel", key: null, requests: 1, creditsUsed: 1 },
    ]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true });
  });

  it("adds up many that end at once", async () => {
    const keys = await Promise.all(["A", "B", "C"].map((name) => makeKey(name)));
    await Promise.all(keys.flatMap((key) => Array.from({ length: 20 }, () => work(1, key))));
    expect((await list(account, sinceBegan())).toSorted()).toEqual([
      ["A", 20, 20],
      ["B", 20, 20],
      ["C", 20, 20],
      ["Test", 0, 0],
    ]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true });
  });

  it("is of the days of the period, both ends in it", async () => {
    const key = await makeKey("Key");
    for (const [day, credits] of [
      ["2026-02-28", 1],
      ["2026-03-01", 10],
      ["2026-03-31", 100],
      ["2026-04-01", 1_000],
    ] as const) {
      await use(day, key, credits);
    }
    expect(await list()).toEqual([
      ["Key", 2, 110],
      ["Test", 0, 0],
    ]);
  });

  it("has one line for all keys of the playground, and none for those that used nothing", async () => {
    const soon = () => new Date(Date.now() + PLAYGROUND_KEY.seconds * 1_000);
    const made = [];
    for (let count = 0; count < 3; count++) made.push(await makeKey(PLAYGROUND_KEY.name, account, soon()));
    await use("2026-03-01", made[0] as string, 1);
    await use("2026-03-02", made[1] as string, 2);
    expect(await list()).toEqual([
      ["playground", 2, 3],
      ["Test", 0, 0],
    ]);
    const named = await makeKey(PLAYGROUND_KEY.name);
    await use("2026-03-03", named, 9);
    expect((await list())[0], "a key that somebody only called so").toEqual(["Playground", 1, 9]);
  });

  it("names revoked keys that were used, and leaves out those that were not", async () => {
    const [used, unused] = [await makeKey("Used"), await makeKey("Unused")];
    await use("2026-03-01", used, 1);
    await prisma().apiKey.updateMany({ where: { id: { in: [used, unused] } }, data: { revokedAt: new Date() } });
    expect(await list()).toEqual([
      ["Used", 1, 1],
      ["Test", 0, 0],
    ]);
    expect((await listKeyUsage(account, PERIOD))[0]?.key?.isUsable).toBe(false);
  });

  it("says of what it does not know that it does not, and adds up to the project's usage", async () => {
    await use("2026-03-01", await makeKey("Key"), 1);
    await useUnknown("2026-03-01", 7, account);
    await useUnknown("2026-03-05", 8, account);
    expect(await list()).toEqual([
      ["Key", 1, 1],
      ["Test", 0, 0],
      ["unknown", 2, 15],
    ]);
    const { totals } = await getUsage(account, PERIOD);
    expect((await list()).reduce((sum, [, , credits]) => sum + Number(credits), 0)).toBe(totals.creditsUsed);
  });

  it("is of the project alone", async () => {
    const [other, second] = [await createTestAccount(), await addTestProject(account, "Second")];
    await use("2026-03-01", await makeKey("Theirs", other), 1, other);
    await use("2026-03-01", await makeKey("Beside", second), 1, second);
    expect(await list()).toEqual([["Test", 0, 0]]);
    expect(await listKeyUsage({ accountId: account.accountId, projectId: other.projectId }, PERIOD)).toEqual([]);
  });

  it("is not changed by what becomes of the sessions", async () => {
    const { sessionId } = await work(2, account.principal.apiKeyId);
    const before = await list(account, sinceBegan());
    await db().query("DELETE FROM sessions WHERE id = $1", [sessionId]);
    expect(await list(account, sinceBegan())).toEqual(before);
  });

  it("is found wrong by the books where keys have more than their project", async () => {
    await work(2, account.principal.apiKeyId);
    await db().query("UPDATE usage_key_days SET credits = 3 WHERE project_id = $1", [account.projectId]);
    expect((await checkBooks(account.accountId)).problems).toEqual(["On 1 days keys used more than their project."]);
  });

  it("begins, where a service was at work before it, with what its turns still tell", async () => {
    await work(2, account.principal.apiKeyId);
    const { sessionId } = await work(3, account.principal.apiKeyId);
    await acceptTurn(account.principal, chatTurn());
    await db().query("DELETE FROM sessions WHERE id = $1", [sessionId]);
    await db().query("DELETE FROM usage_key_days");
    const script = readFileSync(`prisma/migrations/${MIGRATION}/migration.sql`, "utf8");
    await db().query(script.slice(script.indexOf("INSERT INTO")));
    expect(await list(account, sinceBegan())).toEqual([
      ["Test", 1, 2],
      ["unknown", 1, 3],
    ]);
    expect(NEWEST_MIGRATION >= MIGRATION).toBe(true);
  });
});

describe("the file of keys", () => {
  it("has a line for each with the sums of the page, and no spreadsheet runs a name", async () => {
    const key = await makeKey("=2+2");
    await use("2026-03-01", key, 3);
    await use("2026-03-02", "", 2);
    await useUnknown("2026-03-03", 1, account);
    const { hint } = await prisma().apiKey.findUniqueOrThrow({ where: { id: key } });
    const test = await prisma().apiKey.findUniqueOrThrow({ where: { id: account.principal.apiKeyId } });
    const lines = (await readText(Readable.from(exportKeyUsageCsv(account, PERIOD)))).trimEnd().split("\r\n");
    const days = "2026-03-01,2026-03-31";
    expect(lines).toEqual([
      "from,to,keyId,key,keyEndsWith,requests,tokensIn,tokensOut,tokensUsed,creditsUsed,amount,currency",
      `${days},${key},'=2+2,${hint},1,10,5,15,3,0.06,EUR`,
      `${days},,"Panel, without a key",,1,10,5,15,2,0.04,EUR`,
      `${days},${test.id},Test,${test.hint},0,0,0,0,0,0,EUR`,
      `${days},,Before use was counted by key,,1,10,5,15,1,0.02,EUR`,
    ]);
  });
});
