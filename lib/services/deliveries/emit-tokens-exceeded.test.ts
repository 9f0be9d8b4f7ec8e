import { afterAll, describe, expect, it } from "vitest";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { tokensExceededEvent } from "@/lib/contracts/webhook-events";
import { db, inTransaction } from "@/lib/db/pool";
import { PLANS, type PlanId } from "@/lib/domain/plans";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { emitTokensExceeded } from "@/lib/services/deliveries/emit-tokens-exceeded";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

const LIMIT = PLANS.free.tokensPerMonth;

useServiceDatabase();

afterAll(() => sessionHub().close());

/** Answers a turn as its worker does. */
async function answer({ principal }: TestAccount, tokensIn: number) {
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn({ endUserId: "ada", reference: "R-1" }));
  const claimed = await claimedTurn(turnId);
  expect(await endTurn(turnId, claimed.generation, completedEnd({ tokensIn, tokensOut: 0 }), claimed)).toBe(true);
  return { turnId, sessionId };
}

function register({ accountId, projectId }: TestAccount, more: { active?: boolean; events?: string[] } = {}) {
  const url = "https://receiver.example/";
  return seedRegistration({
    accountId,
    projectId,
    url,
    secret: newWebhookSecret(),
    events: ["tokens.exceeded"],
    ...more,
  });
}

/** What an account's receivers were told of its limit, by registration. */
async function toldOf({ accountId }: TestAccount) {
  const { rows } = await db().query(
    `SELECT registration_id, project_id, session_id, turn_id, end_user_id, body::jsonb AS body FROM webhook_deliveries
     WHERE account_id = $1 AND event = 'tokens.exceeded'`,
    [accountId],
  );
  for (const { body } of rows) tokensExceededEvent.parse(body);
  const told = new Map(rows.map(({ registration_id, ...one }) => [registration_id, one]));
  expect(rows, "each is told once").toHaveLength(told.size);
  return told;
}

const NOBODY = { session_id: null, turn_id: null, end_user_id: null };
const NOTHING = { sessionId: null, endUserId: null, templateId: null, status: null };

const moveTo = ({ accountId }: TestAccount, planId: PlanId) => setPlan(OPERATOR, { accountId, planId });

describe("a turn that uses up the plan's tokens", () => {
  it("is told of to receivers of all of the account's projects, and its session to those of its own alone", async () => {
    const [stranger, one] = [await createTestAccount({ planId: "free" }), await createTestAccount({ planId: "free" })];
    const two = await addTestProject(one, "Second");
    const [inOne, inTwo] = [await register(one), await register(two)];
    await Promise.all([register(stranger), register(one, { active: false }), register(two, { events: ["error"] })]);
    const { sessionId, turnId } = await answer(two, LIMIT);
    const told = await toldOf(one);
    expect(new Set(told.keys())).toEqual(new Set([inOne, inTwo]));
    const used = { tokensUsed: LIMIT, tokenLimit: LIMIT };
    const own = { session_id: sessionId, turn_id: turnId, end_user_id: "ada" };
    expect(told.get(inOne)).toMatchObject({ project_id: one.projectId, ...NOBODY, body: { ...NOTHING, ...used } });
    expect(told.get(inTwo)).toMatchObject({
      project_id: two.projectId,
      ...own,
      body: { sessionId, endUserId: "ada", reference: "R-1", status: "completed", ...used },
    });
    expect(told.get(inOne)?.body).not.toHaveProperty("reference");
    expect(await toldOf(stranger)).toEqual(new Map());
  });

  it("is told of where its own project has no receiver", async () => {
    const one = await createTestAccount({ planId: "free" });
    const two = await addTestProject(one, "Second");
    const receiver = await register(one);
    await answer(two, LIMIT - 1);
    expect(await toldOf(one)).toEqual(new Map());
    await answer(two, 1);
    expect((await toldOf(one)).get(receiver)).toMatchObject({ ...NOBODY, body: NOTHING });
    await expect(answer(one, 1)).rejects.toMatchObject({ code: "TOKEN_LIMIT_REACHED" });
  });
});

describe("a plan whose limit the month's use has reached already", () => {
  it("is told of once per month, with no turn", async () => {
    const account = await createTestAccount({ planId: "starter" });
    const receiver = await register(account);
    await answer(account, LIMIT + 50_000);
    await moveTo(account, "growth");
    await moveTo(account, "scale");
    expect(await toldOf(account)).toEqual(new Map());
    await moveTo(account, "free");
    const told = await toldOf(account);
    expect(told.get(receiver)).toMatchObject({
      ...NOBODY,
      body: { ...NOTHING, tokensUsed: LIMIT + 50_000, tokenLimit: LIMIT },
    });
    const { rows } = await db().query(
      "SELECT FROM outbox_events WHERE name = 'delivery/ready' AND starts_with(data ->> 'receiver', $1)",
      [account.accountId],
    );
    expect(rows).toHaveLength(1);
    await moveTo(account, "starter");
    await moveTo(account, "free");
    expect(await toldOf(account)).toEqual(told);
  });

  it("is not told of again when the plan before had reached its own", async () => {
    const account = await createTestAccount({ planId: "starter" });
    await answer(account, PLANS.starter.tokensPerMonth);
    await register(account);
    await moveTo(account, "free");
    await moveTo(account, "free");
    expect(await toldOf(account)).toEqual(new Map());
  });
});

describe("the month whose tokens are used up", () => {
  it("is told of once, whichever day that is, with the day from which calls are taken again", async () => {
    const account = await createTestAccount({ planId: "free" });
    await register(account);
    const tell = (at: string) =>
      inTransaction((tx) =>
        emitTokensExceeded(tx, {
          accountId: account.accountId,
          at: new Date(at),
          tokensUsed: LIMIT,
          tokenLimit: LIMIT,
          turn: null,
        }),
      );
    expect(await tell("2026-12-01T00:00:00Z")).toBe(1);
    expect(await tell("2026-12-31T23:59:59Z")).toBe(0);
    expect([...(await toldOf(account)).values()]).toMatchObject([{ body: { periodEnd: "2027-01-01T00:00:00.000Z" } }]);
    expect(await tell("2027-01-01T00:00:00Z")).toBe(1);
  });
});
