import { describe, expect, it } from "vitest";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { balanceOf, readRow } from "@/e2e/support/turn-reads";
import { message, useTurnStage } from "@/e2e/support/turn-stage";
import { isDatabaseAway } from "@/lib/db/failures";
import { db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { claimTurn } from "@/lib/services/turns/claim-turn";

useTurnStage();

/** All of the plan `free`. @param ago how long before the present month */
async function useUpTokens({ accountId }: TestAccount, ago: string): Promise<void> {
  await db().query(
    `INSERT INTO account_periods (account_id, period_start, tokens_used)
     VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC') - $2::interval, 100000)`,
    [accountId, ago],
  );
}

describe("accepting", () => {
  it("accepts exactly as many calls at once as there are credits, and never goes below zero", async () => {
    const account = await createTestAccount({ credits: 20 });
    const results = await Promise.allSettled([...Array(100)].map(() => acceptTurn(account.principal, message("hi"))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.code).toBe("INSUFFICIENT_CREDITS");
    expect(await balanceOf(account)).toEqual({ balance: 20, reserved: 20, ledger: 20 });
  });

  it("refuses when the plan's tokens of the month are used up, also what continues a session", async () => {
    const account = await createTestAccount({ planId: "free" });
    const { sessionId } = await acceptTurn(account.principal, message("in time"));
    await useUpTokens(account, "0 months");
    for (const late of [message("hi"), message("hi", { sessionId })]) {
      await expect(acceptTurn(account.principal, late)).rejects.toMatchObject({ code: "TOKEN_LIMIT_REACHED" });
    }
    expect((await balanceOf(account)).reserved, "of the one in time").toBe(1);
  });

  it("takes calls again once the month is over in which the plan's tokens were used up", async () => {
    const account = await createTestAccount({ planId: "free" });
    await useUpTokens(account, "1 month");
    const { sessionId } = await acceptTurn(account.principal, message("hi"));
    expect(await acceptTurn(account.principal, message("hi", { sessionId }))).toMatchObject({ status: "resumed" });
  });

  it("gives up its account's row before the database takes that from a process that stands still: it would get it next, and keep it", async () => {
    const { principal } = await createTestAccount();
    const patience: number[] = [];
    await acceptTurn(principal, message("with a key"), async (tx) => {
      const { rows } = await tx.query<{ ms: number }>(
        `SELECT setting::int AS ms FROM pg_settings WHERE name IN ('lock_timeout', 'idle_in_transaction_session_timeout')
         ORDER BY name DESC`,
      );
      patience.push(...rows.map(({ ms }) => ms));
    });
    const [waits = 0, left = 0] = patience;
    expect(waits).toBeGreaterThan(0);
    expect(waits).toBeLessThan(left);
    expect(isDatabaseAway({ code: "55P03" }), "it is told to come again").toBe(true);
    expect((await db().query("SHOW lock_timeout")).rows, "of that transaction alone").toEqual([{ lock_timeout: "0" }]);
  });

  it("writes session, turn, message, end user and outbox row together", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId, status } = await acceptTurn(account.principal, message("hello", { endUserId: "ada" }));
    expect(status).toBe("started");
    const { rows } = await db().query(
      `SELECT (SELECT count(*) FROM messages WHERE session_id = $1) AS messages,
              (SELECT count(*) FROM end_users WHERE project_id = $2 AND end_user_id = 'ada') AS end_users,
              (SELECT count(*) FROM outbox_events WHERE data->>'turnId' = $3) AS outbox`,
      [sessionId, account.projectId, turnId],
    );
    expect(rows[0]).toEqual({ messages: 1, end_users: 1, outbox: 1 });
  });

  it("answers the same for a missing session, another tenant's and another end user's", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const { sessionId } = await acceptTurn(theirs.principal, message("secret"));
    const own = await acceptTurn(mine.principal, message("hi", { endUserId: "ada" }));
    const plain = await acceptTurn(mine.principal, message("hi"));
    const attempts = [
      message("x", { sessionId }),
      message("x", { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" }),
      message("x", { sessionId: own.sessionId, endUserId: "bob" }),
      message("x", { sessionId: plain.sessionId, endUserId: "bob" }),
    ];
    for (const attempt of attempts) {
      await expect(acceptTurn(mine.principal, attempt)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "The session was not found.",
      });
    }
    expect((await balanceOf(mine)).reserved).toBe(2);
  });

  it("speaks of the credits that are missing before it speaks of the session", async () => {
    const { principal } = await createTestAccount({ credits: 0 });
    const refused = acceptTurn(principal, message("hello", { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" }));
    await expect(refused).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  });

  it("hands only the oldest open turn of a session to the queue", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("one"));
    const others = await Promise.all(
      ["two", "three", "four"].map((text) =>
        acceptTurn(account.principal, message(text, { sessionId: first.sessionId })),
      ),
    );
    const handed = async () =>
      (
        await db().query(`SELECT data->>'turnId' AS id FROM outbox_events WHERE data->>'sessionId' = $1`, [
          first.sessionId,
        ])
      ).rows.map((r) => r.id);
    expect(await handed()).toEqual([first.turnId]);
    expect(await claimTurn(others[0]?.turnId ?? "")).toBeNull();
    await answerTurn(first.turnId, 0);
    expect(await handed()).toHaveLength(2);
    expect((await readRow("sessions", first.sessionId)).status).toBe("resumed");
  });
});
