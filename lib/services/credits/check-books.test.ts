import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { checkAllBooks } from "@/lib/services/credits/check-all-books";
import { checkBooks } from "@/lib/services/credits/check-books";
import { beginErasure } from "@/lib/services/data-rights/begin-erasure";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

useServiceDatabase();

async function accept({ principal }: TestAccount, endUserId?: string) {
  return acceptTurn(principal, chatTurn({ creditsToReserve: 2, endUserId }));
}

/** Three turns ended in each way, one open. */
async function busyAccount(): Promise<TestAccount> {
  const account = await createTestAccount({ credits: 100 });
  const [done, failed, canceled] = [await accept(account, "ada"), await accept(account), await accept(account)];
  await accept(account);
  await endTurn(done.turnId, null, completedEnd({ tokensIn: 1_000, tokensOut: 2_000, credits: 4 }));
  await endTurn(failed.turnId, null, { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." });
  await endTurn(canceled.turnId, null, { status: "canceled", errorCode: "CANCELED", errorMessage: "Stopped." });
  return account;
}

describe("the books", () => {
  it("are clean with work completed, failed, canceled and open", async () => {
    const { accountId } = await busyAccount();
    expect(await checkBooks(accountId)).toEqual({
      accountId,
      isClean: true,
      balance: 96,
      ledger: 96,
      reserved: 2,
      openReservations: 2,
      charged: 4,
      used: 4,
      problems: [],
    });
  });

  it("give back what was reserved and charge nothing for a turn that failed or was canceled", async () => {
    for (const end of [
      { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." },
      { status: "canceled", errorCode: "CANCELED", errorMessage: "Stopped." },
    ] as const) {
      const account = await createTestAccount({ credits: 10 });
      const { turnId } = await accept(account);
      expect(await checkBooks(account.accountId)).toMatchObject({ balance: 10, reserved: 2, isClean: true });
      await endTurn(turnId, null, end);
      expect(await checkBooks(account.accountId)).toMatchObject({
        balance: 10,
        reserved: 0,
        charged: 0,
        isClean: true,
      });
    }
  });

  it("stay clean whatever ends twice or at once", async () => {
    const account = await createTestAccount({ credits: 50 });
    const turns = await Promise.all(Array.from({ length: 20 }, () => accept(account)));
    const ends = turns.flatMap(({ turnId }) => [
      endTurn(turnId, null, completedEnd({ tokensIn: 10, tokensOut: 10, credits: 3 })),
      endTurn(turnId, null, { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." }),
      endTurn(turnId, null, completedEnd({ tokensIn: 10, tokensOut: 10, credits: 2 })),
    ]);
    expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(20);
    const books = await checkBooks(account.accountId);
    expect(books).toMatchObject({ isClean: true, reserved: 0, problems: [] });
    expect(books.balance).toBeGreaterThanOrEqual(0);
  });

  it("never go below zero: a charge takes at most what was promised and what is free", async () => {
    const account = await createTestAccount({ credits: 4 });
    const [first] = [await accept(account), await accept(account)];
    await endTurn(first.turnId, null, completedEnd({ credits: 1_000 }));
    expect(await checkBooks(account.accountId)).toMatchObject({ balance: 2, reserved: 2, charged: 2, isClean: true });
  });

  it("never go below zero either when two end at once that each want all that is free", async () => {
    const account = await createTestAccount({ credits: 10 });
    const turns = [await accept(account), await accept(account)];
    const { ending } = await inTransaction(async (tx) => {
      await tx.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [account.accountId]);
      const ending = Promise.allSettled(turns.map(({ turnId }) => endTurn(turnId, null, completedEnd({ credits: 8 }))));
      await expect.poll(async () => (await db().query(WAITING)).rowCount).toBe(2);
      return { ending };
    });
    expect((await ending).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(await checkBooks(account.accountId)).toMatchObject({ balance: 0, reserved: 0, charged: 10, isClean: true });
  });

  const TAMPERINGS: [what: string, statement: string, problem: RegExp][] = [
    [
      "a balance that was changed",
      "UPDATE accounts SET credit_balance = credit_balance + 1 WHERE id = $1",
      /^The balance is 97, the sum of the ledger 96\.$/,
    ],
    [
      "a reservation that stays",
      "UPDATE accounts SET credit_reserved = 3 WHERE id = $1",
      /^3 are reserved, open turns were promised 2\.$/,
    ],
    [
      "more reserved than there is",
      "UPDATE accounts SET credit_reserved = 97 WHERE id = $1",
      /^97 are reserved of a balance of 96\.$/,
    ],
    [
      "usage of another day",
      "UPDATE usage_days SET day = day - 1 WHERE account_id = $1 AND credits > 0",
      /^2 rows of usage differ/,
    ],
    [
      "usage of another end user",
      "UPDATE usage_days SET end_user_id = 'bob' WHERE account_id = $1 AND credits > 0",
      /^2 rows of usage differ/,
    ],
    ["usage without tokens", "UPDATE usage_days SET tokens_in = 0 WHERE account_id = $1", /^1 rows of usage differ/],
    [
      "usage with more credits",
      "UPDATE usage_days SET credits = credits + 1 WHERE account_id = $1 AND credits > 0",
      /^Usage says 5/,
    ],
    [
      "usage with fewer requests than charges",
      "UPDATE usage_days SET requests = 0 WHERE account_id = $1 AND credits > 0",
      /^1 rows of usage differ/,
    ],
    [
      "a day's sum with more requests",
      "UPDATE usage_totals SET requests = requests + 1 WHERE account_id = $1",
      /^1 sums of usage differ/,
    ],
    [
      "an end user's month with more credits",
      `UPDATE usage_months SET credits = credits + 1
       WHERE end_user_id = 'ada' AND project_id IN (SELECT id FROM projects WHERE account_id = $1)`,
      /^1 months of end users differ/,
    ],
    [
      "a month with fewer tokens",
      "UPDATE account_periods SET tokens_used = 1 WHERE account_id = $1",
      /^1 months differ/,
    ],
    [
      "a turn that says less",
      "UPDATE turns SET credits_used = 1 WHERE account_id = $1 AND status = 'completed'",
      /^1 turns were charged otherwise/,
    ],
    [
      "a charge for a failed turn",
      "UPDATE turns SET status = 'failed' WHERE account_id = $1 AND status = 'completed'",
      /^1 turns were charged otherwise/,
    ],
    [
      "a session with other sums",
      "UPDATE sessions SET tokens_out = 1 WHERE account_id = $1",
      /^The sums of 4 sessions differ/,
    ],
  ];
  it.each(TAMPERINGS)("show %s", async (_what, statement, problem) => {
    const { accountId } = await busyAccount();
    await db().query(statement, [accountId]);
    const { isClean, problems } = await checkBooks(accountId);
    expect(isClean).toBe(false);
    expect(problems).toContainEqual(expect.stringMatching(problem));
    await prisma().account.delete({ where: { id: accountId } });
  });

  it("of all accounts name those with problems, however many there are", async () => {
    const wrong = await busyAccount();
    await createTestAccount();
    expect(await checkAllBooks()).toEqual({ isClean: true, accounts: await prisma().account.count(), wrong: [] });
    await db().query("UPDATE accounts SET credit_balance = 99 WHERE id = $1", [wrong.accountId]);
    for (const pageSize of [1, 500]) {
      const report = await checkAllBooks({ pageSize });
      expect(report.accounts).toBe(await prisma().account.count());
      expect(report.wrong.map(({ accountId }) => accountId)).toEqual([wrong.accountId]);
      expect(report.isClean).toBe(false);
    }
  });

  it("of all accounts are checked to the end though one is erased meanwhile", async () => {
    const { accountId } = await createTestAccount();
    const count = await prisma().account.count();
    const statement = `LOCK TABLE usage_months; DELETE FROM accounts WHERE id = '${accountId}'`;
    const [report] = await whileHeld({ statement }, checkAllBooks);
    expect(report).toMatchObject({ status: "fulfilled", value: { accounts: count - 1 } });
  });

  it("of all accounts are those of accounts that stay: one that is being erased loses its books row by row", async () => {
    const { accountId } = await busyAccount();
    await requestAccountErasure(OPERATOR, { accountId, confirmation: "Test Company" });
    await beginErasure(accountId);
    await db().query("UPDATE accounts SET credit_balance = 99 WHERE id = $1", [accountId]);
    expect(await checkBooks(accountId)).toMatchObject({ isClean: false });
    const report = await checkAllBooks();
    expect(report.accounts).toBe((await prisma().account.count()) - 1);
    expect(report.wrong.map((books) => books.accountId)).not.toContain(accountId);
    await eraseAccount(accountId);
  });

  it("of an unknown account are not there", async () => {
    await expect(checkBooks("acc_none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the ledger", () => {
  it.each([
    "UPDATE ledger_entries SET amount = 1",
    "UPDATE ledger_entries SET reason = 'x' WHERE false",
    "DELETE FROM ledger_entries",
    "TRUNCATE ledger_entries",
  ])("refuses %s", async (statement) => {
    const { accountId } = await createTestAccount({ credits: 5 });
    await expect(db().query(statement)).rejects.toMatchObject({ message: /ledger_entries is append-only/ });
    expect(await checkBooks(accountId)).toMatchObject({ ledger: 5, isClean: true });
  });

  it.each(["UPDATE ledger_entries SET amount = 1", "TRUNCATE ledger_entries"])(
    "refuses %s, also where an erasure is what takes its entries away",
    async (statement) => {
      const refused = inTransaction(async (tx) => {
        await tx.query("SET LOCAL service.erasing = 'on'");
        await tx.query(statement);
      });
      await expect(refused).rejects.toMatchObject({ message: /ledger_entries is append-only/ });
    },
  );

  it("takes further entries", async () => {
    const { accountId } = await createTestAccount({ credits: 5 });
    await addCredits({ kind: "operator" }, { accountId, amount: 7, reason: "Paid" });
    expect(await checkBooks(accountId)).toMatchObject({ balance: 12, ledger: 12, isClean: true });
  });
});
