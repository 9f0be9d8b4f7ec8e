import type { WebhookPayload } from "@/lib/contracts/webhook-events";
import { referenceOf } from "@/lib/services/deliveries/reference-of";
import { downloadUrl } from "@/lib/services/sessions/download-url";
import type { SettledTurn } from "@/lib/services/turns/settle-turns";
import type { CompletedEnd, KnownTurn, TurnEnd } from "@/lib/services/turns/turn-end";

type Completion = Extract<WebhookPayload, { type: "completion" }>;

/** What every event says of a turn that has ended. */
function commonFields(turn: SettledTurn) {
  return {
    sessionId: turn.session_id,
    endUserId: turn.end_user_id,
    templateId: turn.template_id,
    ...referenceOf(turn),
    timestamp: turn.ended_at.toISOString(),
  };
}

/** What receivers are told of a turn's end, and of a completed one its session's log too. */
export function terminalPayload(turn: SettledTurn, end: TurnEnd): WebhookPayload {
  if (end.status === "completed") {
    const { type, ...known } = unsettledCompletion({ sessionId: turn.session_id, endUserId: turn.end_user_id }, end);
    return { type, ...commonFields(turn), ...known, creditsUsed: turn.charged };
  }
  const { status, errorMessage: error, errorCode } = end;
  return { type: "error", ...commonFields(turn), status, error, errorCode };
}

/** The same of an answered turn, but for what only settling it tells: SETTLE_TURNS puts that to it. */
export function unsettledCompletion(
  { sessionId, endUserId }: Pick<KnownTurn, "sessionId" | "endUserId">,
  { output, tokensIn, tokensOut, outputType, outputCut }: CompletedEnd,
): Omit<Completion, "templateId" | "reference" | "timestamp" | "creditsUsed"> {
  return {
    type: "completion",
    sessionId,
    endUserId,
    output,
    status: "completed",
    tokensIn,
    tokensOut,
    outputType,
    downloadUrl: downloadUrl(sessionId, outputType),
    ...(outputCut && { outputCut }),
  };
}

/** The data of the event with the last piece of an answer; null when all of it is in the log. */
export function lastPieceOf(
  sessionId: string,
  { lastDelta }: CompletedEnd,
): { sessionId: string; delta: string } | null {
  return lastDelta ? { sessionId, delta: lastDelta } : null;
}
