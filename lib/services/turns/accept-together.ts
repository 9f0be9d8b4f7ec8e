import { isRefusedStatement } from "@/lib/db/failures";
import { hotDb, type Queryable, type Transaction } from "@/lib/db/pool";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { processSingleton } from "@/lib/process-singleton";
import { ACCEPT_NEW_SESSIONS, toSchemaParameter } from "@/lib/services/turns/accept-statements";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { holdClaim } from "@/lib/services/turns/claim-turn";
import { startRoom } from "@/lib/services/turns/start-room";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { together } from "@/lib/together";

/** A turn that begins a session, with the ids that it gets. */
export interface NewSession {
  principal: Principal;
  turn: TurnInput;
  ids: { sessionId: string; turnId: string; outboxId: string; fileIds?: string[] | undefined };
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

/**
 * What an account cannot have for all of its calls is asked for one by one, in the order in which they came. Nobody else of the
 * group waits for that, or learns of what becomes of it: theirs are accepted, or refused, and stay so.
 */
async function acceptEach(sessions: NewSession[]): Promise<(boolean | Promise<boolean>)[]> {
  const begun = await acceptSessions(hotDb(), sessions, startRoom().hasRoom());
  const calls = Map.groupBy(sessions, ({ principal }) => principal.accountId);
  const asked = new Map<string, Promise<boolean>>();
  return sessions.map((session) => {
    const { accountId } = session.principal;
    if (begun.has(session.ids.sessionId)) return true;
    if (calls.get(accountId)?.length === 1) return false;
    const ask = () => acceptSession(hotDb(), session);
    const accepted = asked.get(accountId)?.then(ask, ask) ?? ask();
    asked.set(accountId, accepted);
    return accepted;
  });
}

/** Begins a session; false when the account's credits or tokens do not allow it. */
export async function acceptSession(on: Queryable | Transaction, session: NewSession): Promise<boolean> {
  return (await acceptSessions(on, [session])).size === 1;
}

/**
 * Begins sessions, of each account all or none; returns the ids of those that were begun.
 * @param isClaimed their turns are claimed as they are accepted, and held for the work that begins at once
 */
async function acceptSessions(
  on: Queryable | Transaction,
  sessions: NewSession[],
  isClaimed = false,
): Promise<Set<string>> {
  const of = <Value>(read: (session: NewSession) => Value | undefined) =>
    sessions.map((session) => read(session) ?? null);
  const { rows } = await on.query<AcceptedSession>({
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
      isClaimed,
      of(({ ids }) => ids.fileIds?.[0]),
      of(({ turn }) => toSchemaParameter(turn.outputSchema)),
      of(({ turn }) => turn.callMaxCredits),
      of(({ turn }) => turn.reference),
    ],
  });
  const accepted = new Map(rows.map((row) => [row.id, row]));
  for (const session of isClaimed ? sessions : []) {
    const row = accepted.get(session.ids.sessionId);
    if (row) holdClaim(claimedTurn(session, row));
  }
  return new Set(accepted.keys());
}

type AcceptedSession = { id: string } & Pick<
  ClaimedTurn,
  | "creditsFree"
  | "model"
  | "systemPrompt"
  | "hasKnowledge"
  | "isMemoryOn"
  | "createdAt"
  | "waitedSeconds"
  | "isStartAwaited"
  | "hasReceivers"
>;

/**
 * What a claim of the turn would find: it is its session's first, without a file, and nobody has worked on it. Texts are as
 * Postgres keeps them, without halves of surrogate pairs.
 */
function claimedTurn({ ids, principal, turn }: NewSession, { id, ...beside }: AcceptedSession): ClaimedTurn {
  return {
    turnId: ids.turnId,
    sessionId: id,
    accountId: principal.accountId,
    projectId: principal.projectId,
    endUserId: turn.endUserId?.toWellFormed() ?? null,
    ...{ kind: turn.kind, endpoint: turn.endpoint },
    position: 0,
    generation: 1,
    input: turn.input.toWellFormed(),
    fileContent: turn.fileContent?.toWellFormed() ?? null,
    isInlineLong: false,
    templateId: turn.template?.id ?? null,
    templateVersion: turn.template?.version ?? null,
    reference: turn.reference?.toWellFormed() ?? null,
    maxCredits: turn.maxCredits ?? null,
    outputSchema: turn.outputSchema ?? null,
    creditsReserved: turn.creditsToReserve,
    lastSeq: 0,
    ...{ hasRun: false, hasFiles: false, hasOutput: false, limitedTries: 0 },
    ...beside,
  };
}
