import { beforeEach, describe, expect, it } from "vitest";
import { onOneDay } from "@/e2e/support/on-one-day";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db, inTransaction } from "@/lib/db/pool";
import { encodeCursor } from "@/lib/domain/cursor";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { checkBooks } from "@/lib/services/credits/check-books";
import { eraseEndUser } from "@/lib/services/data-rights/erase-end-user";
import { requestErasure } from "@/lib/services/data-rights/request-end-user-data";
import { createProject } from "@/lib/services/projects/create-project";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { getUsage } from "@/lib/services/usage/get-usage";
import { listEndUserUsage } from "@/lib/services/usage/list-end-user-usage";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const USE = `
  INSERT INTO usage_days AS u (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
  VALUES ($1, $2, $3, $4, $5, 1, 10, 5, $6)
  ON CONFLICT (project_id, day, endpoint, end_user_id) DO UPDATE SET requests = u.requests + 1,
    tokens_in = u.tokens_in + 10, tokens_out = u.tokens_out + 5, credits = u.credits + excluded.credits`;

function use(day: string, endUserId: string, credits: number, on = account, endpoint = "POST /chat") {
  return db().query(USE, [on.projectId, on.accountId, day, endpoint, endUserId, credits]);
}

/** All pages, one after the other. */
async function listAll(month: string, limit: number, of: { accountId: string; projectId: string } = account) {
  const shares = [];
  for (let cursor: string | undefined; ; ) {
    const { data, nextCursor } = await listEndUserUsage(of, { month, limit, cursor });
    shares.push(...data);
    if (nextCursor === null) return shares;
    cursor = nextCursor;
  }
}

const creditsIn = async (month: string, of = account) =>
  (await listAll(month, 100, of)).map(({ endUserId, creditsUsed }) => [endUserId, creditsUsed]);

describe("usage by end user", () => {
  it("is of whole calendar months, the first and the last day in them", async () => {
    await use("2026-01-31", "ada", 1);
    await use("2026-02-01", "ada", 10);
    await use("2026-02-28", "ada", 100);
    await use("2026-03-01", "ada", 1_000);
    expect(await creditsIn("2026-01")).toEqual([["ada", 1]]);
    expect(await creditsIn("2026-02")).toEqual([["ada", 110]]);
    expect(await creditsIn("2026-03")).toEqual([["ada", 1_000]]);
    expect(await creditsIn("2026-04")).toEqual([]);
  });

  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])("is by UTC where the database thinks in %s", async (zone) => {
    await inTransaction(async (tx) => {
      await tx.query(`SET LOCAL TIME ZONE '${zone}'`);
      for (const day of ["2026-01-31", "2026-02-01", "2026-02-28"]) {
        await tx.query(USE, [account.projectId, account.accountId, day, "POST /chat", "ada", 1]);
      }
    });
    expect([await creditsIn("2026-01"), await creditsIn("2026-02")]).toEqual([[["ada", 1]], [["ada", 2]]]);
  });

  it("adds up days, endpoints and repeated use, and is what usage says of the same days", async () => {
    await use("2026-02-01", "ada", 3);
    await use("2026-02-01", "ada", 4);
    await use("2026-02-02", "ada", 5, account, "POST /process");
    await use("2026-02-02", "", 2);
    expect(await listAll("2026-02", 100)).toEqual([
      { endUserId: "ada", requests: 3, tokensIn: 30, tokensOut: 15, creditsUsed: 12 },
      { endUserId: null, requests: 1, tokensIn: 10, tokensOut: 5, creditsUsed: 2 },
    ]);
    const { totals } = await getUsage(account.principal, { from: "2026-02-01", to: "2026-02-28" });
    expect(totals).toMatchObject({ requests: 4, tokensIn: 40, tokensOut: 20, creditsUsed: 14 });
  });

  it("shows each once in its pages, the largest first, however many used as much as each other", async () => {
    await db().query(
      `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, credits)
       SELECT $1, $2, '2026-02-05', 'POST /chat', CASE n WHEN 0 THEN '' ELSE 'user-' || n END, 1, n % 4
       FROM generate_series(0, 60) n`,
      [account.projectId, account.accountId],
    );
    for (const limit of [1, 7, 61]) {
      const shares = await listAll("2026-02", limit);
      expect(new Set(shares.map(({ endUserId }) => endUserId)).size).toBe(61);
      expect(shares).toHaveLength(61);
      const credits = shares.map(({ creditsUsed }) => creditsUsed);
      expect(credits).toEqual(credits.toSorted((a, b) => b - a));
    }
  });

  it("is there as soon as work has ended", () =>
    onOneDay(async (today) => {
      account = await createTestAccount();
      const { turnId } = await acceptTurn(account.principal, chatTurn({ endUserId: "ada", creditsToReserve: 5 }));
      const month = today.slice(0, 7);
      expect(await creditsIn(month)).toEqual([]);
      await endTurn(turnId, null, completedEnd({ tokensIn: 30, tokensOut: 12, credits: 2 }));
      expect(await creditsIn(month)).toEqual([["ada", 2]]);
      expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true });
      await db().query("UPDATE usage_months SET credits = 3 WHERE project_id = $1", [account.projectId]);
      expect((await checkBooks(account.accountId)).problems).toEqual([
        "1 months of end users differ from the usage of their days.",
      ]);
    }));

  it("says nothing of an erased end user any more, and keeps the sums", async () => {
    for (const endUserId of ["ada", "bob"]) {
      await use("2026-01-31", endUserId, 1);
      await use("2026-02-01", endUserId, 10);
    }
    await db().query("INSERT INTO end_users (project_id, end_user_id) VALUES ($1, 'ada')", [account.projectId]);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: "ada", confirmation: "ada" });
    await eraseEndUser(id);
    expect(await creditsIn("2026-01")).toEqual([
      [ERASED_END_USER, 1],
      ["bob", 1],
    ]);
    const { rows } = await db().query("SELECT 1 FROM usage_months WHERE project_id = $1 AND end_user_id = 'ada'", [
      account.projectId,
    ]);
    expect(rows).toEqual([]);
  });

  it("is of the project alone", async () => {
    const other = await createTestAccount();
    await use("2026-02-01", "ada", 3);
    await use("2026-02-01", "eve", 7, other);
    const { id } = await createProject({ kind: "system" }, account, { name: "Other" });
    expect(await creditsIn("2026-02")).toEqual([["ada", 3]]);
    expect(await listAll("2026-02", 10, { accountId: account.accountId, projectId: id })).toEqual([]);
    expect(await listAll("2026-02", 10, { accountId: account.accountId, projectId: other.projectId })).toEqual([]);
  });

  it.each([["x"], [""], ["-1"], ["1e3"], ["9".repeat(30)]])(
    "refuses a bent cursor with %j for credits",
    async (credits) => {
      const cursor = encodeCursor([credits, "ada"]);
      await expect(listEndUserUsage(account, { month: "2026-02", limit: 10, cursor })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        param: "cursor",
      });
    },
  );
});
