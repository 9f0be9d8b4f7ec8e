import { isPassingLimit } from "@/lib/ai/retry-delay";
import { affordableTokensOut, type CreditLimit, creditLimitOf } from "@/lib/domain/credits";
import { TurnError } from "@/lib/domain/turn-errors";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import { env } from "@/lib/env";
import { emitSessionStarted } from "@/lib/services/deliveries/emit-session-started";
import { askWithRoom } from "@/lib/services/turns/ask-with-room";
import { buildModelRequest, type SpentTokens, type TurnModelRequest } from "@/lib/services/turns/build-model-request";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { type FailedOutcome, failOrRetry } from "@/lib/services/turns/fail-or-retry";
import { holdTurn, paceOf, tellPace } from "@/lib/services/turns/hold-turn";
import { maxCreditsReached } from "@/lib/services/turns/max-credits-reached";
import { nextTry } from "@/lib/services/turns/next-try";
import { answerAsSchema } from "@/lib/services/turns/outputs/answer-as-schema";
import { type AnswerOrOrder, answerWithTools } from "@/lib/services/turns/outputs/answer-with-tools";
import { makeOutput, resumeOutput } from "@/lib/services/turns/outputs/make-output";
import { orderOutput } from "@/lib/services/turns/outputs/order-output";
import type { OrderingAnswer } from "@/lib/services/turns/outputs/turn-output";
import { outOfCredits } from "@/lib/services/turns/parts/begin-part";
import { buildJoinRequest } from "@/lib/services/turns/parts/build-join-request";
import { planParts } from "@/lib/services/turns/parts/plan-parts";
import { hasParts } from "@/lib/services/turns/parts/turn-part";
import { settleAnswer } from "@/lib/services/turns/settle-answer";
import { limitProgress } from "@/lib/services/turns/tell-of-limit";
import type { TurnContext } from "@/lib/services/turns/turn-end";
import { turnLane } from "@/lib/services/turns/turn-lane";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

/** What the queue does next. */
export type AnswerOutcome =
  /** Also "ended" where it waits for the pace of its model: the queue has it again when its time has come. */
  | FailedOutcome
  /** What came along is more than one call takes: read its parts, then answer from them (docs/decisions/0014). */
  | { status: "parts" };

/**
 * Answers one turn: takes it, asks the model, writes the text into the session's log as it comes, and settles it.
 * Safe to run again at any point: a second run starts the answer anew, behind a `reset` event, and a run whose turn was
 * taken over writes and charges nothing.
 * @param attempt 0 for the first; what was tried before it was held counts
 * @param isRead whether its text was read in parts and what remains is the answer; without, such a turn is left as it is
 * @throws what is no fault of the call (database away, a bug): the queue tries again
 */
export async function answerTurn(turnId: string, attempt: number, isRead = false): Promise<AnswerOutcome> {
  const turn = await claimTurn(turnId, isRead);
  if (!turn) return { status: !isRead && (await hasParts(turnId)) ? "parts" : "ended" };
  if (turn.isStartAwaited) await emitSessionStarted(turn);
  const pace = isRead ? undefined : paceOf(turn);
  // Those of a turn that was found lost are counted anew.
  const tries = isRead ? attempt : Math.max(attempt, turn.limitedTries);
  const writer = new TurnWriter(turn);
  const seen: SeenContext = {};
  try {
    if (await holdTurn(turn, pace, attempt, (progress) => writer.tell(progress))) return { status: "ended" };
    const outcome = await answerClaimedTurn(turn, writer, seen, {
      ...{ attempt: tries, isRead, isPaced: pace !== undefined },
    });
    if (outcome.status === "ended") pace?.pacedAnswered(turnLane(turn));
    return outcome;
  } catch (error) {
    if (error instanceof TurnLostError) return { status: "ended" };
    if (!(error instanceof TurnError)) throw error;
    if (isPassingLimit(error)) tellPace(pace, turn, error);
    const outcome = await failOrRetry(turn, error, tries, seen);
    const progress = limitProgress(outcome, tries);
    // Nothing depends on it.
    if (progress) await writer.tell(progress).catch(() => {});
    return outcome;
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
  { attempt, isRead, isPaced }: { attempt: number; isRead: boolean; isPaced: boolean },
): Promise<AnswerOutcome> {
  await writer.reset();
  if (turn.hasOutput) {
    await resumeOutput(turn, writer);
    return { status: "ended" };
  }
  const limit = creditLimitOf(turn);
  const isLastTry = (error: TurnError) => nextTry(turn, error, attempt) === null;
  const options = {
    payer: { turnId: turn.turnId, limit },
    signal: writer.signal,
    isLastTry,
    onProgress: (progress: TurnProgress) => writer.tell(progress),
  };
  const request = isRead
    ? await buildJoinRequest(turn)
    : await buildModelRequest(turn, turn.model ?? env().DEFAULT_MODEL, options);
  seen.context = { ...request.context, model: request.model };
  if (request.isTooLong && (await planParts(turn, request, options))) return { status: "parts" };
  if (request.refusal) throw request.refusal;
  const affordable = affordableAnswer(request, limit);
  if (affordable === 0) throw isRead ? outOfCredits(limit.maxCredits) : inputTooDear(limit.maxCredits);

  let isPaidShort = affordable < request.maxOutputTokens;
  const asked = {
    model: request.model,
    messages: request.messages,
    ...(isPaidShort && { maxOutputTokens: affordable }),
    signal: writer.signal,
    idempotencyKey: `${turn.turnId}:${turn.generation}`,
    ...{ refusedBefore: turn.limitedTries, isPaced },
  };
  const room = { lane: turnLane(turn), signal: writer.signal };
  const push = (delta: string) => writer.push(delta);
  const { outputSchema } = turn;
  const leftAfter = (tries: SpentTokens) => {
    const left = affordableAnswer({ ...request, spent: addUse(request.spent, tries) }, limit);
    if (left < request.maxOutputTokens) isPaidShort = true;
    return isPaidShort ? left : undefined;
  };
  const ask = () =>
    outputSchema ? answerAsSchema(asked, outputSchema, { onDelta: push, leftAfter }) : answerWithTools(asked, push);
  const answer = await askWithRoom(request.messages, ask, room);
  const used = addUse(request.spent, answer);
  if (answer.order) {
    await makeOutput(turn, writer, await orderOutput(turn, answer.order, orderingAnswer(request, answer, used)));
  } else {
    await settleAnswer(turn, writer, { request, answer, used, limit, isPaidShort });
  }
  return { status: "ended" };
}

/** The longest answer that is left to pay for, in tokens, when what was used before it is. */
function affordableAnswer(request: TurnModelRequest, limit: CreditLimit): number {
  const { model, spent, tokensInEstimate, soundCredits } = request;
  const tokensIn = spent.tokensIn + tokensInEstimate;
  return Math.max(0, affordableTokensOut(model, tokensIn, limit.credits - soundCredits) - spent.tokensOut);
}

function addUse(spent: SpentTokens, answer: SpentTokens): SpentTokens {
  return { tokensIn: spent.tokensIn + answer.tokensIn, tokensOut: spent.tokensOut + answer.tokensOut };
}

/** What is kept of an answer that is an order, until what it orders is made. */
function orderingAnswer(request: TurnModelRequest, answer: AnswerOrOrder, used: SpentTokens): OrderingAnswer {
  const { model, soundCredits } = request;
  const context = { ...request.context, model: answer.model, isTokenCountEstimated: answer.isEstimated };
  return { model, ...used, soundCredits, leftOut: answer.leftOut, context };
}

/** What would be sent costs all that may be spent, so no answer can be paid. */
function inputTooDear(maxCredits: number | null): TurnError {
  return maxCredits === null
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        "The account's credits do not suffice for an answer to so long an input. Nothing was charged; ask for more credits in the panel, and send it again.",
      )
    : maxCreditsReached("The answer would cost", maxCredits);
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
