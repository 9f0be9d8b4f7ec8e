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
 * Begins a session; those whose calls come at once together: the row of an account, which each of its calls changes, is
 * changed once for all.
 * @returns false when the account's credits or tokens do not allow it; then nothing was stored
 */
export async function acceptTogether(session: NewSession): Promise<boolean> {
  const { input, fileContent = "" } = session.turn;
  if (input.length + fileContent.length > MAX_SHARED_CHARACTERS) return acceptSession(hotDb(), session);
  return processSingleton("accept-together", () =>
    together({
      work: acceptEach,
      max: MAX_AT_ONCE,
      keyOf: ({ principal }: NewSession) => principal.accountId,
      isRepeatable: isRefusedStatement,
    }),
  )(session);
}

/** What an account cannot have for all of its calls is asked for one by one, in the order in which they came. */
async function acceptEach(sessions: NewSession[]): Promise<boolean[]> {
  const begun = await acceptSessions(hotDb(), sessions);
  const calls = Map.groupBy(sessions, ({ principal }) => principal.accountId);
  const accepted: boolean[] = [];
  for (const session of sessions) {
    const isAlone = calls.get(session.principal.accountId)?.length === 1;
    accepted.push(begun.has(session.ids.sessionId) || (!isAlone && (await acceptSession(hotDb(), session))));
  }
  return accepted;
}

/** Begins a session; false when the account's credits or tokens do not allow it. */
export async function acceptSession(on: Queryable | Transaction, session: NewSession): Promise<boolean> {
  return (await acceptSessions(on, [session])).size === 1;
}

/** Begins sessions, of each account all or none; returns the ids of those that were begun. */
async function acceptSessions(on: Queryable | Transaction, sessions: NewSession[]): Promise<Set<string>> {
  const of = <Value>(read: (session: NewSession) => Value | undefined) =>
    sessions.map((session) => read(session) ?? null);
  const { rows } = await on.query<{ id: string }>({
    ...ACCEPT_NEW_SESSIONS,
    values: [
      of(({ ids }) => ids.sessionId),
      of(({ ids }) => ids.turnId),
      of(({ ids }) => ids.outboxId),
      of(({ principal }) => principal.accountId),
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
      of(({ turn }) => turn.creditsToReserve),
      of(({ principal }) => PLANS[principal.planId].tokensPerMonth),
      of(({ turn }) => turn.kind),
      of(({ turn }) => turn.prompt),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
