import { isRefusedStatement } from "@/lib/db/failures";
import { hotDb, type Queryable, type Transaction } from "@/lib/db/pool";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { processSingleton } from "@/lib/process-singleton";
import { ACCEPT_NEW_SESSIONS } from "@/lib/services/turns/accept-statements";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { together } from "@/lib/together";

/** A turn that begins a session, with the ids that it gets. */
export interface NewSession {
  principal: Principal;
  turn: TurnInput;
  ids: { sessionId: string; turnId: string; outboxId: string };
}

const MAX_AT_ONCE = 50;
/** A longer text goes alone: others need not wait until it is sent. */
const MAX_SHARED_CHARACTERS = 50_000;

/**
 * Begins a session. Calls of one account go together: its row, which each of them changes, is changed once for all.
 * @returns false when the account's credits or tokens do not allow it; then nothing was stored
 */
export function acceptTogether(session: NewSession): Promise<boolean> {
  const { input, fileContent = "" } = session.turn;
  if (input.length + fileContent.length > MAX_SHARED_CHARACTERS) return acceptSessions(hotDb(), [session]);
  return processSingleton("accept-together", () =>
    together({
      work: acceptEach,
      max: MAX_AT_ONCE,
      laneOf: ({ principal }: NewSession) => `${principal.accountId} ${principal.planId}`,
      isRepeatable: isRefusedStatement,
    }),
  )(session);
}

/** What cannot be had for all is asked for one by one, in the order in which the calls came. */
async function acceptEach(sessions: NewSession[]): Promise<boolean[]> {
  if (await acceptSessions(hotDb(), sessions)) return sessions.map(() => true);
  if (sessions.length === 1) return [false];
  const accepted: boolean[] = [];
  for (const session of sessions) accepted.push(await acceptSessions(hotDb(), [session]));
  return accepted;
}

/** Begins sessions of one account, all or none; false when its credits or tokens do not allow it. */
export async function acceptSessions(on: Queryable | Transaction, sessions: NewSession[]): Promise<boolean> {
  const [first] = sessions;
  if (!first) return true;
  const of = <Value>(read: (session: NewSession) => Value | undefined) =>
    sessions.map((session) => read(session) ?? null);
  const { accountId, planId } = first.principal;
  const { rows } = await on.query<{ accepted: number }>({
    ...ACCEPT_NEW_SESSIONS,
    values: [
      of(({ ids }) => ids.sessionId),
      of(({ ids }) => ids.turnId),
      of(({ ids }) => ids.outboxId),
      accountId,
      of(({ principal }) => principal.projectId),
      of(({ principal }) => principal.apiKeyId),
      of(({ turn }) => turn.endUserId),
      of(({ turn }) => turn.endpoint),
      of(({ turn }) => turn.requestId),
      of(({ turn }) => turn.input),
      of(({ turn }) => turn.fileContent),
      of(({ turn }) => turn.template?.id),
      of(({ turn }) => turn.template?.version),
      of(({ turn }) => turn.callbackUrl),
      of(({ turn }) => turn.maxCredits),
      sessions.reduce((sum, { turn }) => sum + turn.creditsToReserve, 0),
      PLANS[planId].tokensPerMonth,
      of(({ turn }) => turn.kind),
      of(({ turn }) => turn.prompt),
      of(({ turn }) => turn.creditsToReserve),
    ],
  });
  return rows[0]?.accepted === sessions.length;
}
