import { type CreditLimit, creditsFor } from "@/lib/domain/credits";
import type { OutputCut } from "@/lib/domain/session-status";
import type { SpentTokens, TurnModelRequest } from "@/lib/services/turns/build-model-request";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { cutShort, cutToNothing } from "@/lib/services/turns/cut-to-nothing";
import { endTurn } from "@/lib/services/turns/end-turn";
import { maxCreditsReached } from "@/lib/services/turns/max-credits-reached";
import type { AnswerOrOrder } from "@/lib/services/turns/outputs/answer-with-tools";
import type { CompletedEnd } from "@/lib/services/turns/turn-end";
import { TurnLostError, type TurnWriter } from "@/lib/services/turns/turn-writer";

/** An answer in text, with what it was asked and what it may cost. */
export interface TextAnswer {
  request: TurnModelRequest;
  answer: AnswerOrOrder;
  /** By all calls for the turn, this one included. */
  used: SpentTokens;
  limit: CreditLimit;
  /** Whether less was left to pay for than the longest answer that the model can give. */
  isPaidShort: boolean;
}

/**
 * Ends a turn with the text that the model gave, which is in the session's log but for its last piece, and charges it.
 * @throws TurnError for an answer that costs too much, or was ended before it said anything; TurnLostError
 */
export async function settleAnswer(turn: ClaimedTurn, writer: TurnWriter, text: TextAnswer): Promise<void> {
  const { request, answer, used, limit } = text;
  if (request.closingLine) writer.push(request.closingLine);
  const credits = creditsFor(request.model, used.tokensIn, used.tokensOut) + request.soundCredits;
  const outputCut = cutOf(answer.finishReason, text.isPaidShort);
  const { maxCredits } = turn;
  const isCutByCall = outputCut === "credits" && limit.maxCredits !== null;
  if (maxCredits !== null && (credits > maxCredits || isCutByCall)) {
    await writer.finish();
    throw maxCreditsReached("The answer would cost", maxCredits);
  }
  if (outputCut && answer.text.trim() === "") throw turn.outputSchema ? cutShort(outputCut) : cutToNothing(outputCut);
  const lastDelta = await writer.finishButLast();
  const cut = outputCut ? { outputCut } : {};
  const end: CompletedEnd = {
    status: "completed",
    output: writer.text + lastDelta,
    lastDelta,
    outputType: "text",
    ...cut,
    ...used,
    credits,
    model: answer.model,
    context: { ...request.context, ...cut, model: answer.model, isTokenCountEstimated: answer.isEstimated },
    isMemoryDue: turn.isMemoryOn,
  };
  const isMine = await endTurn(turn.turnId, turn.generation, end, turn);
  if (!isMine) throw new TurnLostError();
}

/** Why the provider ended an answer before it was done. */
function cutOf(finishReason: string, isPaidShort: boolean): OutputCut | undefined {
  if (finishReason === "length") return isPaidShort ? "credits" : "length";
  return finishReason === "content_filter" ? "filter" : undefined;
}
