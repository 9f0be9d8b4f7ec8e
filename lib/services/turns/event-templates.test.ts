import { afterAll, describe, expect, it } from "vitest";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { PLANS } from "@/lib/domain/plans";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { expireSessions } from "@/lib/services/sessions/expire-sessions";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnEnd } from "@/lib/services/turns/turn-end";
import type { TurnInput } from "@/lib/services/turns/turn-input";

useServiceDatabase();

afterAll(() => sessionHub().close());

const TEMPLATE = { id: "tpl_first", version: 1 };
const OTHER = { id: "tpl_other", version: 1 };
const FAILED: TurnEnd = { status: "failed", errorCode: "MODEL_UNAVAILABLE", errorMessage: "It did not answer." };

/** A turn, from its call to its end. */
async function turn({ principal }: TestAccount, more: Partial<TurnInput>, end: TurnEnd = completedEnd()) {
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn(more));
  const claimed = await claimedTurn(turnId);
  expect(await endTurn(turnId, claimed.generation, end, claimed)).toBe(true);
  return { turnId, sessionId };
}

/** Turns of one session: with a template, with none, with another. */
async function threeTurns(account: TestAccount, more: Partial<TurnInput> = {}, end?: TurnEnd) {
  const { sessionId, turnId } = await turn(account, { ...more, template: TEMPLATE }, end);
  const second = await turn(account, { ...more, sessionId }, end);
  const third = await turn(account, { ...more, sessionId, template: OTHER }, end);
  return { sessionId, turnIds: [turnId, second.turnId, third.turnId] };
}

/** The template that was told of each turn, once per receiver. */
async function toldOf(turnIds: string[], event: string) {
  const { rows } = await db().query<{ turn_id: string; id: string | null }>(
    "SELECT turn_id, body::jsonb ->> 'templateId' AS id FROM webhook_deliveries WHERE turn_id = ANY ($1) AND event = $2",
    [turnIds, event],
  );
  return turnIds.map((turnId) => rows.filter(({ turn_id }) => turn_id === turnId).map(({ id }) => id));
}

const listen = ({ accountId, projectId }: TestAccount, events: string[]) =>
  seedRegistration({ accountId, projectId, url: "https://receiver.example/", secret: newWebhookSecret(), events });

describe("what is told of a turn", () => {
  it.each([
    ["completion", completedEnd()],
    ["error", FAILED],
  ])("names the template of that turn alone: %s, to the callback and to a webhook", async (event, end) => {
    const account = await createTestAccount();
    await listen(account, [event]);
    const { turnIds } = await threeTurns(account, { callbackUrl: "https://client.example/hook" }, end);
    expect(await toldOf(turnIds, event)).toEqual([
      [TEMPLATE.id, TEMPLATE.id],
      [null, null],
      [OTHER.id, OTHER.id],
    ]);
  });

  it.each([
    ["nobody else is told", {}],
    ["a callback is", { callbackUrl: "https://client.example/hook" }],
  ])("names it in the session's log as well, where %s", async (_, more) => {
    const account = await createTestAccount();
    const { sessionId } = await threeTurns(account, more);
    const { rows } = await db().query(
      "SELECT data -> 'templateId' AS id FROM session_events WHERE session_id = $1 AND type = 'completed' ORDER BY seq",
      [sessionId],
    );
    expect(rows).toEqual([{ id: TEMPLATE.id }, { id: null }, { id: OTHER.id }]);
  });

  it.each([
    ["with none", undefined, null],
    ["with another", OTHER, OTHER.id],
  ])("names it when the turn, %s, uses the plan's tokens up", async (_, template, named) => {
    const account = await createTestAccount({ planId: "free" });
    await listen(account, ["tokens.exceeded"]);
    const { sessionId } = await turn(account, { template: TEMPLATE });
    const all = completedEnd({ tokensIn: PLANS.free.tokensPerMonth });
    const { turnId } = await turn(account, { sessionId, ...(template && { template }) }, all);
    expect(await toldOf([turnId], "tokens.exceeded")).toEqual([[named]]);
  });
});

describe("a session whose latest turn has no template", () => {
  it("goes on naming the one before, in its record and when it expires", async () => {
    const account = await createTestAccount();
    await listen(account, ["session.timeout"]);
    const { sessionId } = await turn(account, { template: TEMPLATE });
    await turn(account, { sessionId });
    expect(await getChatSession(account.principal, sessionId)).toMatchObject({ templateId: TEMPLATE.id });
    await expireSessions({ now: new Date(Date.now() + 8_000_000), timeoutSeconds: 7_200 });
    const { rows } = await db().query(
      "SELECT event, body::jsonb ->> 'templateId' AS id FROM webhook_deliveries WHERE session_id = $1",
      [sessionId],
    );
    expect(rows).toEqual([{ event: "session.timeout", id: TEMPLATE.id }]);
  });
});
