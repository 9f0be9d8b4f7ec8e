import { affordableTokensOut, creditLimitOf, creditsFor } from "@/lib/domain/credits";
import type { OutputCut } from "@/lib/domain/session-status";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { emitSessionStarted } from "@/lib/services/deliveries/emit-session-started";
import { buildModelRequest, type SpentTokens } from "@/lib/services/turns/build-model-request";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { type FailedOutcome, failOrRetry, retryDelay } from "@/lib/services/turns/fail-or-retry";
import { answerWithTools } from "@/lib/services/turns/outputs/answer-with-tools";
import { makeOutput, resumeOutput } from "@/lib/services/turns/outputs/make-output";
import { orderOutput } from "@/lib/services/turns/outputs/order-output";
import { outOfCredits } from "@/lib/services/turns/parts/begin-part";
import { buildJoinRequest } from "@/lib/services/turns/parts/build-join-request";
import { planParts } from "@/lib/services/turns/parts/plan-parts";
import { hasParts } from "@/lib/services/turns/parts/turn-part";
import type { TurnContext } from "@/lib/services/turns/turn-end";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

/** What the queue does next. */
export type AnswerOutcome =
  | FailedOutcome
  /** What came along is more than one call takes: read its parts, then answer from them (docs/decisions/0014). */
  | { status: "parts" };

/**
 * Answers one turn: takes it, asks the model, writes the text into the session's log as it comes, and settles it.
 * Safe to run again at any point: a second run starts the answer anew, behind a `reset` event, and a run whose turn was
 * taken over writes and charges nothing.
 * @param attempt 0 for the first
 * @param isRead whether its text was read in parts and what remains is the answer; without, such a turn is left as it is
 * @throws what is no fault of the call (database away, a bug): the queue tries again
 */
export async function answerTurn(turnId: string, attempt: number, isRead = false): Promise<AnswerOutcome> {
  const turn = await claimTurn(turnId, isRead);
  if (!turn) return { status: !isRead && (await hasParts(turnId)) ? "parts" : "ended" };
  if (turn.isStartAwaited) await emitSessionStarted(turn);
  const writer = new TurnWriter(turn);
  const seen: SeenContext = {};
  try {
    return await answerClaimedTurn(turn, writer, seen, { attempt, isRead });
  } catch (error) {
    if (error instanceof TurnLostError) return { status: "ended" };
    if (!(error instanceof TurnError)) throw error;
    return await failOrRetry(turn, error, attempt, seen);
  } finally {
    await writer.close();
  }
}

/** What was put together for the model, for the record of a turn that then fails. */
interface SeenContext {
  context?: TurnContext;
}

async function answerClaimedTurn(
  turn: ClaimedTurn,
  writer: TurnWriter,
  seen: SeenContext,
  { attempt, isRead }: { attempt: number; isRead: boolean },
): Promise<AnswerOutcome> {
  await writer.reset();
  if (turn.hasOutput) {
    await resumeOutput(turn, writer);
    return { status: "ended" };
  }
  const limit = creditLimitOf(turn);
  const isLastTry = (error: TurnError) => retryDelay(error, attempt) === null;
  const options = { payer: { turnId: turn.turnId, limit }, signal: writer.signal, isLastTry };
  const request = isRead
    ? await buildJoinRequest(turn)
    : await buildModelRequest(turn, turn.model ?? env().DEFAULT_MODEL, options);
  const { model, spent } = request;
  seen.context = { ...request.context, model };
  if (request.isTooLong && (await planParts(turn, request, options))) return { status: "parts" };
  if (request.refusal) throw request.refusal;
  const affordable = affordableAfter(spent, model, request.tokensInEstimate, limit.credits - request.soundCredits);
  if (affordable === 0) throw isRead ? outOfCredits(limit.maxCredits) : inputTooDear(limit.maxCredits);

  const answer = await answerWithTools(
    {
      model,
      messages: request.messages,
      ...(affordable < request.maxOutputTokens && { maxOutputTokens: affordable }),
      signal: writer.signal,
      idempotencyKey: `${turn.turnId}:${turn.generation}`,
    },
    (delta) => writer.push(delta),
  );
  const tokensIn = spent.tokensIn + answer.tokensIn;
  const tokensOut = spent.tokensOut + answer.tokensOut;
  if (answer.order) {
    const context = { ...request.context, model: answer.model, isTokenCountEstimated: answer.isEstimated };
    const { soundCredits } = request;
    const ordering = { model, tokensIn, tokensOut, soundCredits, leftOut: answer.leftOut, context };
    await makeOutput(turn, writer, await orderOutput(turn, answer.order, ordering));
    return { status: "ended" };
  }
  if (request.closingLine) writer.push(request.closingLine);
  const credits = creditsFor(model, tokensIn, tokensOut) + request.soundCredits;
  const outputCut = cutOf(answer.finishReason, affordable < request.maxOutputTokens);
  const { maxCredits } = turn;
  const isCutByCall = outputCut === "credits" && limit.maxCredits !== null;
  if (maxCredits !== null && (credits > maxCredits || isCutByCall)) {
    await writer.finish();
    throw maxCreditsReached(maxCredits);
  }
  if (outputCut && answer.text.trim() === "") throw cutToNothing(outputCut);
  const lastDelta = await writer.finishButLast();
  const end = {
    status: "completed",
    output: writer.text + lastDelta,
    lastDelta,
    outputType: "text",
    ...(outputCut && { outputCut }),
    tokensIn,
    tokensOut,
    credits,
    model: answer.model,
    context: {
      ...request.context,
      ...(outputCut && { outputCut }),
      model: answer.model,
      isTokenCountEstimated: answer.isEstimated,
    },
    isMemoryDue: turn.isMemoryOn,
  } as const;
  const isMine = await endTurn(turn.turnId, turn.generation, end, turn);
  if (!isMine) throw new TurnLostError();
  return { status: "ended" };
}

/** Why the provider ended an answer before it was done. */
function cutOf(finishReason: string, isPaidShort: boolean): OutputCut | undefined {
  if (finishReason === "length") return isPaidShort ? "credits" : "length";
  return finishReason === "content_filter" ? "filter" : undefined;
}

/** An answer that was ended before it said anything is none, and costs nothing: models that think aloud come to that. */
function cutToNothing(outputCut: OutputCut): TurnError {
  return outputCut === "credits"
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        `The account's credits were used up ${BEFORE_A_WORD}; add credits and send it again.`,
      )
    : new TurnError("MODEL_REJECTED", CUT_TO_NOTHING[outputCut]);
}

const BEFORE_A_WORD = "before the AI model said anything. Nothing was charged";

const CUT_TO_NOTHING = {
  length: `The length of the answer was used up ${BEFORE_A_WORD}; ask for less at once, or change the project's model.`,
  filter:
    "The provider's content filter held the whole answer back. Nothing was charged; change the input and try again.",
} as const;

/** The longest answer that is left to pay for when `spent` was used before it, in tokens. */
function affordableAfter(spent: SpentTokens, model: string, tokensIn: number, credits: number): number {
  return Math.max(0, affordableTokensOut(model, spent.tokensIn + tokensIn, credits) - spent.tokensOut);
}

/** What would be sent costs all that may be spent, so no answer can be paid. */
function inputTooDear(maxCredits: number | null): TurnError {
  return maxCredits === null
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        "The account's credits do not suffice for an answer to so long an input. Nothing was charged; add credits and send it again.",
      )
    : maxCreditsReached(maxCredits);
}

function maxCreditsReached(maxCredits: number): TurnError {
  return new TurnError("MAX_CREDITS_REACHED", `The answer would cost more than maxCredits (${maxCredits}).`);
}

/**
 * Ends a turn that the queue has given up on. Whoever worked on it can no longer write.
 * @param generation of the worker that was given up; null: whoever has the turn
 */
export async function abandonTurn(turnId: string, generation: number | null = null): Promise<void> {
  await endTurn(turnId, generation, {
    status: "failed",
    errorCode: "INTERNAL_ERROR",
    errorMessage:
      "The answer could not be made because of a fault in the service. Nothing was charged; please try again.",
  });
}
