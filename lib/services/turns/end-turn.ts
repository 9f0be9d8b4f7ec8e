import type { WebhookPayload } from "@/lib/contracts/webhook-events";
import { isUniqueViolation } from "@/lib/db/failures";
import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { PLANS, type PlanId } from "@/lib/domain/plans";
import type { OutputType, SessionKind } from "@/lib/domain/session-status";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";
import { countEndedTurn } from "@/lib/metrics";
import { digestSubject } from "@/lib/services/data-rights/digest-subject";
import { emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { emitStartOfTurn } from "@/lib/services/deliveries/emit-session-started";
import { discardUpload } from "@/lib/services/files/discard-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { announceEvent } from "@/lib/services/sessions/announce-event";
import { downloadUrl } from "@/lib/services/sessions/download-url";
import { closeOutput } from "@/lib/services/turns/outputs/close-output";
import { CLOSE_TURN, SETTLE_TURN } from "@/lib/services/turns/settle-statement";

/** What the model saw; the context receipt is read from it. */
export type TurnContext = Record<string, unknown>;

/** How a turn ended. Tokens and credits of a turn without an answer are zero: it costs nothing (contract §7). */
export type TurnEnd =
  | {
      status: "completed";
      output: string;
      outputType: OutputType;
      /** The file that the turn made: adopted with the turn's end. */
      outputDraft?: UploadDraft;
      tokensIn: number;
      tokensOut: number;
      /** What the answer costs; charged up to what the account has. */
      credits: number;
      model: string;
      context?: TurnContext;
      /** Whether the end user's profile is to be brought up to date. */
      isMemoryDue?: boolean;
    }
  | { status: "failed"; errorCode: TurnErrorCode; errorMessage: string; context?: TurnContext }
  | { status: "canceled"; errorCode: "CANCELED"; errorMessage: string };

interface SettledTurn {
  session_id: string;
  account_id: string;
  project_id: string;
  end_user_id: string | null;
  template_id: string | null;
  callback_url: string | null;
  request_id: string;
  kind: SessionKind;
  charged: number;
  plan_id: PlanId;
  tokens_used: number;
  ended_at: Date;
}

const MAX_TRIES = 5;

/**
 * Ends a turn in one transaction: answer or error, charge, usage, terminal event, deliveries, and the hand-over of the
 * session's next turn. Safe to call twice and from several workers: only one call ends the turn.
 * @param generation the worker's own; null ends the turn whoever works on it
 * @returns whether this call ended it
 */
export async function endTurn(turnId: string, generation: number | null, end: TurnEnd): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await endTurnOnce(turnId, generation, end);
    } catch (error) {
      // A chunk of a worker that is being stopped took the same place in the log: take the next one.
      if (!isUniqueViolation(error, "session_events_pkey") || attempt === MAX_TRIES) throw error;
    }
  }
}

async function endTurnOnce(turnId: string, generation: number | null, end: TurnEnd): Promise<boolean> {
  const ended = await inTransaction(async (tx) => {
    const draft = end.status === "completed" ? end.outputDraft : undefined;
    const fileId = draft && newId("file");
    const turn = await settle(tx, turnId, generation, end, fileId);
    if (!turn) return null;
    const leftover = end.status === "completed" && !draft ? null : await closeOutput(tx, turnId, turn, draft, fileId);
    const payload = terminalPayload(turn, end);
    const type = end.status === "completed" ? "completed" : "error";
    const data =
      end.status === "completed"
        ? payload
        : { sessionId: turn.session_id, error: { code: end.errorCode, message: end.errorMessage } };
    const { rows } = await tx.query<{ seq: number }>({
      ...CLOSE_TURN,
      values: [turn.session_id, turnId, type, JSON.stringify(data), newId("outbox"), turn.account_id],
    });
    if (generation === null) await emitStartOfTurn(tx, turnId);
    // Whoever canceled knows it already: receivers are told of answers and of failures (docs/decisions/0010).
    if (end.status !== "canceled") await emitEvents(tx, turnId, turn, end, payload);
    if (end.status === "completed" && end.isMemoryDue) await emitMemoryDue(tx, turnId, turn);
    const event = { sessionId: turn.session_id, seq: rows[0]?.seq ?? 0, type, data };
    return { event, leftover, requestId: turn.request_id };
  });
  if (!ended) return false;
  countEndedTurn(end.status, end.status === "failed" ? end.errorCode : undefined);
  if (end.status === "failed") {
    const { requestId, event } = ended;
    log("warn", "A turn failed.", { requestId, sessionId: event.sessionId, turnId, code: end.errorCode });
  }
  wakeRelay();
  announceEvent({ ...ended.event, turnId, data: JSON.stringify(ended.event.data) });
  // What cannot be removed now, the sweep removes.
  if (ended.leftover) await discardUpload(ended.leftover).catch(() => {});
  return true;
}

async function settle(
  tx: Transaction,
  turnId: string,
  generation: number | null,
  end: TurnEnd,
  outputFileId: string | undefined,
) {
  const done = end.status === "completed" ? end : null;
  const failed = end.status === "completed" ? null : end;
  const { rows } = await tx.query<SettledTurn>({
    ...SETTLE_TURN,
    values: [
      turnId,
      generation,
      end.status,
      done?.output ?? null,
      done?.outputType ?? null,
      outputFileId ?? null,
      failed?.errorCode ?? null,
      failed?.errorMessage ?? null,
      done?.tokensIn ?? 0,
      done?.tokensOut ?? 0,
      done?.credits ?? 0,
      done?.model ?? null,
      newId("ledger"),
      end.status !== "canceled" && end.context ? JSON.stringify(end.context) : null,
    ],
  });
  return rows[0];
}

function commonFields(turn: SettledTurn) {
  return {
    sessionId: turn.session_id,
    endUserId: turn.end_user_id,
    templateId: turn.template_id,
    timestamp: turn.ended_at.toISOString(),
  };
}

function terminalPayload(turn: SettledTurn, end: TurnEnd): WebhookPayload {
  if (end.status !== "completed") {
    const { status, errorMessage: error, errorCode } = end;
    return { type: "error", ...commonFields(turn), status, error, errorCode };
  }
  return {
    type: "completion",
    ...commonFields(turn),
    output: end.output,
    status: "completed",
    creditsUsed: turn.charged,
    tokensIn: end.tokensIn,
    tokensOut: end.tokensOut,
    outputType: end.outputType,
    downloadUrl: downloadUrl(turn.session_id, end.outputType),
  };
}

async function emitMemoryDue(tx: Transaction, turnId: string, { project_id, end_user_id }: SettledTurn): Promise<void> {
  if (end_user_id === null) return;
  await enqueueEvents(tx, [
    { name: "memory/due", data: { turnId, endUser: `${project_id}/${digestSubject(project_id, end_user_id)}` } },
  ]);
}

async function emitEvents(tx: Transaction, turnId: string, turn: SettledTurn, end: TurnEnd, payload: WebhookPayload) {
  const owner = {
    accountId: turn.account_id,
    projectId: turn.project_id,
    sessionId: turn.session_id,
    turnId,
    endUserId: turn.end_user_id,
  };
  await emitDeliveries(tx, {
    ...owner,
    callbackUrl: turn.callback_url,
    event: payload,
    dedupeKey: `${turnId}:${payload.type}`,
  });
  const limit = PLANS[turn.plan_id].tokensPerMonth;
  const tokens = end.status === "completed" ? end.tokensIn + end.tokensOut : 0;
  if (limit === null || turn.tokens_used < limit || turn.tokens_used - tokens >= limit) return;
  const { ended_at: at } = turn;
  await emitDeliveries(tx, {
    ...owner,
    callbackUrl: null,
    event: {
      type: "tokens.exceeded",
      ...commonFields(turn),
      status: end.status,
      tokensUsed: turn.tokens_used,
      tokenLimit: limit,
      periodEnd: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString(),
    },
    dedupeKey: `${turn.account_id}:tokens.exceeded:${at.toISOString().slice(0, 7)}`,
  });
}
