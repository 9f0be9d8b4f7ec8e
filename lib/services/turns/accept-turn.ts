import { db, hotDb, inTransaction, type Queryable, type Transaction } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import type { OpenStatus } from "@/lib/domain/session-status";
import { countAcceptedTurns } from "@/lib/metrics";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { ACCEPT_NEXT_TURN } from "@/lib/services/turns/accept-statements";
import { acceptSession, acceptTogether, type NewSession } from "@/lib/services/turns/accept-together";
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
 * @throws AppError NOT_FOUND (session not there, or not the end user's), INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED
 */
export async function acceptTurn(
  principal: Principal,
  turn: TurnInput,
  also?: (tx: Transaction, accepted: AcceptedTurn) => Promise<void>,
): Promise<AcceptedTurn> {
  const ids = { sessionId: turn.sessionId ?? newId("session"), turnId: newId("turn"), outboxId: newId("outbox") };
  const status = turn.sessionId ? "resumed" : "started";
  const accepted: AcceptedTurn = { sessionId: ids.sessionId, turnId: ids.turnId, status };
  const files = turn.files ?? [];
  if (files.length === 0 && !also) {
    await insertTurn(null, principal, turn, ids);
  } else {
    await inTransaction(async (tx) => {
      await insertTurn(tx, principal, turn, ids);
      const owner = { sessionId: ids.sessionId, turnId: ids.turnId, endUserId: turn.endUserId ?? null };
      const fileIds: string[] = [];
      for (const file of files) fileIds.push(await adoptUpload(tx, principal, file, { ...owner, purpose: "input" }));
      if (!turn.sessionId && fileIds[0]) {
        await tx.query("UPDATE sessions SET file_id = $2 WHERE id = $1", [ids.sessionId, fileIds[0]]);
      }
      await also?.(tx, accepted);
    });
  }
  countAcceptedTurns(1);
  // A session's first turn is the one that its row of the outbox hands over; whether a later one has a row is not known here.
  const { turnId, sessionId, outboxId } = ids;
  const ready = { id: outboxId, name: "turn/ready", data: { turnId, sessionId, accountId: principal.accountId } };
  wakeRelay(turn.sessionId ? undefined : [ready]);
  return accepted;
}

type TurnIds = NewSession["ids"];

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
  const { rows } = await on.query<{ accepted: number }>({
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
    ],
  });
  return rows[0]?.accepted === 1;
}

/**
 * Off the hot path: says which of the conditions of the accept statement did not hold, credits first (contract §2,
 * order of checks).
 */
export async function reasonForRefusal(
  on: Pick<Queryable, "query">,
  principal: Principal,
  turn: Pick<TurnInput, "sessionId" | "endUserId" | "creditsToReserve">,
): Promise<AppError> {
  const { rows } = await on.query<{ available: number; tokens_used: number; session_found: boolean }>(
    `SELECT a.credit_balance - a.credit_reserved AS available,
            coalesce((SELECT tokens_used FROM account_periods p WHERE p.account_id = a.id
                      AND p.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS tokens_used,
            $2::text IS NULL OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = $2 AND s.project_id = $3
                      AND ($4::text IS NULL OR s.end_user_id = $4)) AS session_found
     FROM accounts a WHERE a.id = $1`,
    [principal.accountId, turn.sessionId ?? null, principal.projectId, turn.endUserId ?? null],
  );
  const state = rows[0];
  if (!state) return notFound("The session");
  const limit = PLANS[principal.planId].tokensPerMonth;
  if (limit !== null && state.tokens_used >= limit) {
    return new AppError(
      "TOKEN_LIMIT_REACHED",
      `The plan's ${limit} tokens of this month are used up. Change to a larger plan or wait for the next month.`,
    );
  }
  if (state.available >= turn.creditsToReserve && !state.session_found) return notFound("The session");
  return new AppError(
    "INSUFFICIENT_CREDITS",
    `This call needs about ${turn.creditsToReserve} credits and ${Math.max(0, state.available)} are free. Add credits, or wait for running work to end.`,
  );
}
