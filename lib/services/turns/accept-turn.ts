import { db, hotDb, inTurnForAccount, type Queryable, type Transaction } from "@/lib/db/pool";
import { againWhenTurnedBack } from "@/lib/db/turned-back";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import type { OpenStatus } from "@/lib/domain/session-status";
import { turnPriority } from "@/lib/domain/turn-priority";
import { countAcceptedTurns } from "@/lib/metrics";
import { adoptUpload, type FileUse } from "@/lib/services/files/adopt-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { ACCEPT_NEXT_TURN, toSchemaParameter } from "@/lib/services/turns/accept-statements";
import { acceptSession, acceptTogether, type NewSession } from "@/lib/services/turns/accept-together";
import { reasonForRefusal } from "@/lib/services/turns/refuse-turn";
import { overtaken, takeOverTurn } from "@/lib/services/turns/take-over-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

export interface AcceptedTurn {
  sessionId: string;
  turnId: string;
  status: OpenStatus;
}

/**
 * Accepts a turn: session, message, credit reservation and outbox row in one transaction. What is returned
 * is on disk; what throws has left nothing.
 * @param also what has to be there together with the turn, or not at all
 * @throws AppError NOT_FOUND (session not there, or not the end user's), INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED;
 * NOT_READY where what it tries again is not to be had any more
 */
export async function acceptTurn(
  principal: Principal,
  turn: TurnInput,
  also?: (tx: Transaction, accepted: AcceptedTurn) => Promise<void>,
): Promise<AcceptedTurn> {
  const ids = {
    sessionId: turn.sessionId ?? newId("session"),
    turnId: newId("turn"),
    outboxId: newId("outbox"),
    fileIds: turn.files?.map(() => newId("file")),
  };
  const status = turn.sessionId ? "resumed" : "started";
  const accepted: AcceptedTurn = { sessionId: ids.sessionId, turnId: ids.turnId, status };
  const files = turn.files ?? [];
  if (files.length === 0 && !turn.retryOf && !also) {
    await againWhenTurnedBack(() => insertTurn(null, principal, turn, ids));
  } else {
    await inTurnForAccount(async (tx) => {
      const notAdopted = await adoptAll(tx, principal, files, { ...turn, ...ids });
      if (turn.retryOf) await takeOverTurn(tx, ids.sessionId, turn.retryOf, ids.turnId);
      if (!notAdopted) await also?.(tx, accepted);
      // Last, right before the commit: until then it holds the row of the account, which all of the account's calls wait for.
      await insertTurn(tx, principal, turn, ids);
      if (notAdopted) throw notAdopted;
    });
  }
  countAcceptedTurns(1);
  // A session's first turn is the one that its row of the outbox hands over; whether a later one has a row is not known here.
  const { turnId, sessionId, outboxId } = ids;
  const { accountId } = principal;
  const priority = turnPriority(turn.kind, turn.endpoint, turn.sessionId !== undefined);
  const ready = { id: outboxId, name: "turn/ready", data: { turnId, sessionId, accountId, priority } };
  wakeRelay(turn.sessionId ? undefined : [ready]);
  return accepted;
}

type TurnIds = NewSession["ids"];

/** @returns why a file cannot be had: credits are spoken of first, so the caller looks at those before it says so */
async function adoptAll(
  tx: Transaction,
  principal: Principal,
  files: UploadDraft[],
  { sessionId, turnId, endUserId, fileIds }: TurnIds & Pick<TurnInput, "endUserId">,
): Promise<AppError | null> {
  const use: FileUse = { sessionId, turnId, endUserId: endUserId ?? null, purpose: "input" };
  try {
    for (const [index, file] of files.entries()) await adoptUpload(tx, principal, file, use, fileIds?.[index]);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** @param on the transaction that it is part of; null: calls at once go together */
async function insertTurn(on: Transaction | null, principal: Principal, turn: TurnInput, ids: TurnIds) {
  const isAccepted = turn.sessionId
    ? await continueSession(on ?? hotDb(), principal, turn, ids)
    : await beginSession(on, { principal, turn, ids });
  if (!isAccepted) throw await reasonForRefusal(on ?? db(), principal, turn);
}

function beginSession(on: Transaction | null, session: NewSession): Promise<boolean> {
  return on ? acceptSession(on, session) : acceptTogether(session);
}

async function continueSession(
  on: Queryable | Transaction,
  principal: Principal,
  turn: TurnInput,
  ids: TurnIds,
): Promise<boolean> {
  const { rows } = await on.query<{ position: number }>({
    ...ACCEPT_NEXT_TURN,
    values: [
      ids.sessionId,
      ids.turnId,
      ids.outboxId,
      principal.accountId,
      principal.projectId,
      principal.apiKeyId,
      turn.endUserId ?? null,
      turn.endpoint,
      turn.requestId,
      turn.input,
      turn.fileContent ?? null,
      turn.template?.id ?? null,
      turn.template?.version ?? null,
      turn.callbackUrl ?? null,
      turn.maxCredits ?? null,
      turn.creditsToReserve,
      PLANS[principal.planId].tokensPerMonth,
      toSchemaParameter(turn.outputSchema),
      turn.callMaxCredits ?? null,
      turn.reference ?? null,
    ],
  });
  const [accepted] = rows;
  // What came in between was said behind what is to be tried again: until here, nobody had to wait for the session.
  if (accepted && turn.retryOf && accepted.position !== turn.retryOf.position + 1) throw overtaken();
  return accepted !== undefined;
}
