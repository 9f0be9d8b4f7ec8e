import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { PLANS } from "@/lib/domain/plans";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

let account: TestAccount;

useServiceDatabase();
beforeEach(async () => {
  account = await createTestAccount({ planId: "starter" });
});

const quote = (place: { sessionId?: string; endUserId?: string; input?: string } = {}, { principal } = account) =>
  quoteTurn(principal, {
    endpoint: "POST /chat",
    requestId: "req_test",
    inputNames: ["message"],
    input: "How much?",
    ...place,
  });

async function newSession(endUserId?: string): Promise<string> {
  const { sessionId, turnId } = await acceptTurn(account.principal, chatTurn({ endUserId }));
  await endTurn(turnId, null, completedEnd());
  return sessionId;
}

describe("the quote of a call in a session", () => {
  it("finds none of another account, another project or another end user", async () => {
    const sessionId = await newSession("ada");
    await expect(quote({ sessionId, endUserId: "ada" })).resolves.toMatchObject({ wouldExceed: null });
    const missing = { code: "NOT_FOUND" };
    await expect(quote({ sessionId, endUserId: "bob" })).rejects.toMatchObject(missing);
    await expect(quote({ sessionId }, await addTestProject(account, "Other"))).rejects.toMatchObject(missing);
    await expect(quote({ sessionId }, await createTestAccount())).rejects.toMatchObject(missing);
  });

  it("counts what is remembered of the session's end user, whoever sends it", async () => {
    const [sessionId, nobodys] = [await newSession("ada"), await newSession()];
    await db().query("UPDATE projects SET api_memory_per_user = true WHERE id = $1", [account.projectId]);
    const before = (await quote({ sessionId })).tokensInEstimate;
    const nobodysBefore = (await quote({ sessionId: nobodys })).tokensInEstimate;
    await editMemory(OPERATOR, account, { endUserId: "ada", content: "- Likes tea. ".repeat(200) });
    const named = (await quote({ sessionId, endUserId: "ada" })).tokensInEstimate;
    expect(named).toBeGreaterThan(before + 200);
    expect((await quote({ sessionId })).tokensInEstimate).toBe(named);
    expect((await quote({ sessionId: nobodys })).tokensInEstimate).toBe(nobodysBefore);
  });
});

describe("the quote of a message", () => {
  it("says when it is longer than the model takes at once", async () => {
    const { principal } = account;
    const inProject = (input: string) =>
      quote({ input }, { ...account, principal: { ...principal, model: "small-window" } });
    expect((await inProject("word ".repeat(15_000))).warnings).toEqual([]);
    const long = await inProject("日".repeat(99_000));
    expect(long.warnings).toEqual([expect.stringMatching(/more than the model takes.* may fail with MODEL_REJECTED/)]);
    expect(long.tokensInEstimate).toBeGreaterThan(32_768);
  });
});

describe("what the account has too little of", () => {
  const used = (tokens: number, month = "now()") =>
    db().query(
      `INSERT INTO account_periods (account_id, period_start, tokens_used)
       VALUES ($1, date_trunc('month', ${month} AT TIME ZONE 'UTC')::date, $2)
       ON CONFLICT (account_id, period_start) DO UPDATE SET tokens_used = excluded.tokens_used`,
      [account.accountId, tokens],
    );

  it("is the month's tokens once the call takes more than are left, and those of no other month", async () => {
    const limit = PLANS.starter.tokensPerMonth;
    const { tokensInEstimate } = await quote();
    await used(limit, "(now() - interval '1 month')");
    await used(limit - tokensInEstimate);
    expect((await quote()).wouldExceed).toBeNull();
    await used(limit - tokensInEstimate + 1);
    expect((await quote()).wouldExceed).toBe("tokenLimit");
  });

  it("is credits where those that are free are fewer than the call needs: others are promised to open turns", async () => {
    await db().query("UPDATE accounts SET credit_balance = 10, credit_reserved = 9 WHERE id = $1", [account.accountId]);
    expect((await quote()).wouldExceed).toBeNull();
    await db().query("UPDATE accounts SET credit_reserved = 10 WHERE id = $1", [account.accountId]);
    expect((await quote()).wouldExceed).toBe("credits");
  });
});
