import { afterAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db, hotDb, inTransaction } from "@/lib/db/pool";
import { checkBooks } from "@/lib/services/credits/check-books";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { EndingTurn } from "@/lib/services/turns/turn-end";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { writeEnds } from "@/lib/services/turns/write-ends";

useServiceDatabase();

afterAll(() => sessionHub().close());

function accept({ principal }: TestAccount, creditsToReserve: number, more: Partial<TurnInput> = {}) {
  return acceptTurn(principal, chatTurn({ creditsToReserve, ...more }));
}

function answered(turnId: string, generation: number | null, credits: number, tokens = 0): EndingTurn {
  return { turnId, generation, end: completedEnd({ tokensIn: tokens, tokensOut: 0, credits }) };
}

const endAll = (endings: EndingTurn[]) =>
  inTransaction((tx, sendCommit) => writeEnds(tx, endings, sendCommit), hotDb());

/** What the books say of turns, by id. */
async function chargesOf({ accountId }: TestAccount) {
  const { rows } = await db().query<{ id: string; charged: number; after: number }>(
    `SELECT turn_id AS id, -amount AS charged, balance_after AS after FROM ledger_entries
     WHERE account_id = $1 AND kind = 'charge' ORDER BY turn_id`,
    [accountId],
  );
  return rows;
}

describe("turns of one account that end together", () => {
  it.each([
    { credits: 100, promised: [2, 2, 2], wanted: [1, 2, 2] },
    { credits: 11, promised: [2, 3, 1, 4], wanted: [5, 1, 1, 9] },
    { credits: 12, promised: [1, 5, 1, 1], wanted: [9, 0, 20, 1] },
    { credits: 7, promised: [1, 1, 1, 1, 1], wanted: [3, 3, 3, 0, 3] },
  ])("are charged as one after the other would be: $promised for $wanted of $credits", async (given) => {
    const account = await createTestAccount({ credits: given.credits });
    const turns: { turnId: string; promised: number }[] = [];
    for (const promised of given.promised) turns.push({ ...(await accept(account, promised)), promised });
    await accept(account, 1);
    const ends = turns.map(({ turnId, promised }, index) => ({ turnId, promised, wanted: given.wanted[index] ?? 0 }));
    await endAll(ends.map(({ turnId, wanted }) => answered(turnId, null, wanted)));

    let balance = given.credits;
    let reserved = given.promised.reduce((sum, each) => sum + each, 1);
    const expected = ends
      .sort((a, b) => (a.turnId < b.turnId ? -1 : 1))
      .map(({ turnId, promised, wanted }) => {
        const charged = Math.min(wanted, balance - reserved + promised);
        balance -= charged;
        reserved -= promised;
        return { id: turnId, charged, after: balance };
      });
    expect(await chargesOf(account)).toEqual(expected);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance, reserved: 1 });
  });

  it("leave no line in the ledger and no answer where they failed or were canceled", async () => {
    const account = await createTestAccount({ credits: 10 });
    const [failed, canceled, answeredOne] = [
      await accept(account, 2),
      await accept(account, 2),
      await accept(account, 2),
    ];
    await endAll([
      {
        turnId: failed.turnId,
        generation: null,
        end: { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "It failed." },
      },
      {
        turnId: canceled.turnId,
        generation: null,
        end: { status: "canceled", errorCode: "CANCELED", errorMessage: "It was canceled." },
      },
      answered(answeredOne.turnId, null, 2),
    ]);
    expect(await chargesOf(account)).toEqual([{ id: answeredOne.turnId, charged: 2, after: 8 }]);
    const { rows } = await db().query(
      "SELECT turn_id AS id FROM messages WHERE role = 'assistant' AND turn_id = ANY ($1)",
      [[failed.turnId, canceled.turnId, answeredOne.turnId]],
    );
    expect(rows).toEqual([{ id: answeredOne.turnId }]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 8, reserved: 0 });
  });

  it("end once, and only by the worker that has them", async () => {
    const account = await createTestAccount();
    const [one, two] = [await accept(account, 1), await accept(account, 1)];
    await claimTurn(one.turnId);
    await claimTurn(one.turnId);
    await claimTurn(two.turnId);
    const ended = await endAll([answered(one.turnId, 1, 1), answered(two.turnId, 1, 1), answered(one.turnId, 2, 1)]);
    expect(ended.map((end) => end !== null)).toEqual([false, true, true]);
    expect(await endAll([answered(one.turnId, 2, 1), answered(two.turnId, 1, 1)])).toEqual([null, null]);
    expect(await chargesOf(account)).toHaveLength(2);
  });

  it("take the next place of the log when somebody else takes their own in the same moment", async () => {
    const account = await createTestAccount();
    const { turnId, sessionId, generation } = await claimedTurn((await accept(account, 1)).turnId);
    const statement = `INSERT INTO session_events (session_id, seq, turn_id, type, data)
                       SELECT session_id, 1, id, 'chunk', '{}' FROM turns WHERE id = $1`;
    const [ended] = await whileHeld({ statement, id: turnId }, () => endTurn(turnId, generation, completedEnd()));
    expect(ended).toEqual({ status: "fulfilled", value: true });
    const { rows } = await db().query("SELECT type FROM session_events WHERE session_id = $1 ORDER BY seq", [
      sessionId,
    ]);
    expect(rows.map(({ type }) => type)).toEqual(["chunk", "completed"]);
    expect(await chargesOf(account)).toHaveLength(1);
  });

  it("wait for nobody who only has the account stay as it is, such as a person's act in the panel", async () => {
    const account = await createTestAccount();
    const { turnId } = await accept(account, 1);
    const ended = await inTransaction(async (tx) => {
      await tx.query("SELECT FROM accounts WHERE id = $1 FOR KEY SHARE", [account.accountId]);
      const ending = endAll([answered(turnId, null, 1)]);
      await expect.poll(() => chargesOf(account)).toHaveLength(1);
      return { ending };
    });
    expect(await ended.ending).toMatchObject([{}]);
  });

  it("tell once of the month's tokens when several reach the limit, which turn crossed it, and nobody of another account", async () => {
    const [account, other] = [await createTestAccount({ planId: "free" }), await createTestAccount({ planId: "free" })];
    for (const { accountId, projectId } of [account, other]) {
      await db().query(
        `INSERT INTO webhook_registrations (id, account_id, project_id, url, events, secret_encrypted)
         VALUES ('whk_' || $1, $1, $2, 'https://receiver.example/', '{tokens.exceeded}', '')`,
        [accountId, projectId],
      );
    }
    const turns = [await accept(account, 1), await accept(account, 1), await accept(account, 1)];
    const beside = await accept(other, 1);
    await endAll([
      ...turns.map(({ turnId }) => answered(turnId, null, 1, 60_000)),
      answered(beside.turnId, null, 1, 60_000),
    ]);
    const { rows } = await db().query(
      `SELECT account_id AS told, turn_id, body::jsonb->'tokensUsed' AS used FROM webhook_deliveries
       WHERE account_id = ANY ($1) AND event = 'tokens.exceeded'`,
      [[account.accountId, other.accountId]],
    );
    const second = turns.map(({ turnId }) => turnId).sort()[1];
    expect(rows).toEqual([{ told: account.accountId, turn_id: second, used: 120_000 }]);
  });

  it("hand over the next turn of each session", async () => {
    const account = await createTestAccount();
    const first = [await accept(account, 1), await accept(account, 1)];
    const next = [];
    for (const { sessionId } of first) next.push(await accept(account, 1, { sessionId }));
    const claims = await Promise.all(first.map(({ turnId }) => claimedTurn(turnId)));
    await Promise.all(claims.map((claimed) => endTurn(claimed.turnId, claimed.generation, completedEnd(), claimed)));
    const { rows } = await db().query(
      "SELECT data->>'turnId' AS id FROM outbox_events WHERE data->>'turnId' = ANY ($1) ORDER BY 1",
      [next.map(({ turnId }) => turnId)],
    );
    expect(rows.map(({ id }) => id)).toEqual(next.map(({ turnId }) => turnId).sort());
  });
});

describe("calls of several accounts that come at once", () => {
  it("get what their own account has: one without credits fails alone, and of a small rest as many as it pays for", async () => {
    const [rich, poor, broke] = [
      await createTestAccount({ credits: 100 }),
      await createTestAccount({ credits: 5 }),
      await createTestAccount({ credits: 0 }),
    ];
    const calls = Array.from({ length: 8 }, () => [rich, poor, broke]).flat();
    const results = await Promise.allSettled(calls.map((account) => accept(account, 2)));
    const acceptedOf = (account: TestAccount) =>
      results.filter(({ status }, index) => status === "fulfilled" && calls[index] === account).length;
    expect([rich, poor, broke].map(acceptedOf)).toEqual([8, 2, 0]);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "INSUFFICIENT_CREDITS" });
    }
    for (const { accountId } of [rich, poor, broke])
      expect(await checkBooks(accountId)).toMatchObject({ isClean: true });
  });

  it("end each for its own account", async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => createTestAccount({ credits: 10 })));
    const turns = [];
    for (const account of [...accounts, ...accounts]) turns.push({ account, ...(await accept(account, 2)) });
    await endAll(turns.map(({ turnId }, index) => answered(turnId, null, index < 3 ? 1 : 3)));
    for (const account of accounts) {
      expect((await chargesOf(account)).map(({ charged }) => charged).sort()).toEqual([1, 3]);
      expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 6, reserved: 0 });
    }
  });
});

describe("a turn that is claimed twice at once", () => {
  it("belongs to one of them alone", async () => {
    const account = await createTestAccount();
    const turns = await Promise.all([accept(account, 1), accept(account, 1), accept(account, 1)]);
    const claims = await Promise.all([...turns, ...turns, ...turns].map(({ turnId }) => claimTurn(turnId)));
    for (const { turnId } of turns) {
      const generations = claims.filter((claim) => claim?.turnId === turnId).map((claim) => claim?.generation);
      expect(generations.sort()).toEqual([1, 2, 3]);
    }
  });
});
