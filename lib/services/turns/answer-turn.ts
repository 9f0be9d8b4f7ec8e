import { streamAnswer } from "@/lib/ai/model-port";
import { db } from "@/lib/db/pool";
import { affordableTokensOut, creditsFor } from "@/lib/domain/credits";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { emitSessionStarted } from "@/lib/services/deliveries/emit-session-started";
import { buildModelRequest } from "@/lib/services/turns/build-model-request";
import { type ClaimedTurn, claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn, type TurnContext } from "@/lib/services/turns/end-turn";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

/** What the queue does next. */
export type AnswerOutcome =
  /** Nothing more to do: the turn ended, here or elsewhere. */
  | { status: "ended" }
  /** Try again after the delay. */
  | { status: "retry"; delaySeconds: number; reason: string };

/** A server that asks for a longer wait than this gets no second try. */
const LONGEST_RETRY_AFTER_SECONDS = 300;

/**
 * Answers one turn: takes it, asks the model, writes the text into the session's log as it comes, and settles it.
 * Safe to run again at any point: a second run starts the answer anew, behind a `reset` event, and a run whose turn was
 * taken over writes and charges nothing.
 * @param attempt 0 for the first
 * @throws what is no fault of the call (database away, a bug): the queue tries again
 */
export async function answerTurn(turnId: string, attempt: number): Promise<AnswerOutcome> {
  const turn = await claimTurn(turnId);
  if (!turn) return { status: "ended" };
  if (turn.isStartAwaited) await emitSessionStarted(turn);
  const writer = new TurnWriter(turn);
  const seen: SeenContext = {};
  try {
    await answerClaimedTurn(turn, writer, seen);
    return { status: "ended" };
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

async function answerClaimedTurn(turn: ClaimedTurn, writer: TurnWriter, seen: SeenContext): Promise<void> {
  await writer.reset();
  const model = turn.model ?? env().DEFAULT_MODEL;
  const request = await buildModelRequest(turn, model);
  seen.context = { ...request.context, model };
  const creditLimit = Math.min(
    turn.maxCredits ?? Number.POSITIVE_INFINITY,
    turn.creditsReserved + Math.max(0, turn.creditsFree),
  );
  const affordable = affordableTokensOut(model, request.tokensInEstimate, creditLimit);
  if (turn.maxCredits !== null && affordable === 0) throw maxCreditsReached(turn.maxCredits);

  const answer = await streamAnswer(
    {
      model,
      messages: request.messages,
      ...(Number.isFinite(creditLimit) &&
        affordable < request.maxOutputTokens &&
        affordable > 0 && { maxOutputTokens: affordable }),
      signal: writer.signal,
      idempotencyKey: `${turn.turnId}:${turn.generation}`,
    },
    (delta) => writer.push(delta),
  );
  const output = await writer.finish();
  const credits = creditsFor(model, answer.tokensIn, answer.tokensOut);
  if (
    turn.maxCredits !== null &&
    (credits > turn.maxCredits || (answer.finishReason === "length" && affordable < request.maxOutputTokens))
  ) {
    throw maxCreditsReached(turn.maxCredits);
  }
  const isMine = await endTurn(turn.turnId, turn.generation, {
    status: "completed",
    output,
    outputType: "text",
    tokensIn: answer.tokensIn,
    tokensOut: answer.tokensOut,
    credits,
    model: answer.model,
    context: { ...request.context, model: answer.model, isTokenCountEstimated: answer.isEstimated },
    isMemoryDue: turn.isMemoryOn,
  });
  if (!isMine) throw new TurnLostError();
}

function maxCreditsReached(maxCredits: number): TurnError {
  return new TurnError("MAX_CREDITS_REACHED", `The answer would cost more than maxCredits (${maxCredits}).`);
}

async function failOrRetry(
  turn: ClaimedTurn,
  error: TurnError,
  attempt: number,
  seen: SeenContext,
): Promise<AnswerOutcome> {
  const delays = env().MODEL_RETRY_DELAYS_SECONDS;
  const wanted = error.retryAfterSeconds ?? 0;
  const delay = delays[attempt];
  if (error.isRetryable && delay !== undefined && wanted <= LONGEST_RETRY_AFTER_SECONDS) {
    const delaySeconds = Math.max(delay, wanted);
    await expectSilence(turn, delaySeconds);
    return { status: "retry", delaySeconds, reason: error.code };
  }
  await endTurn(turn.turnId, turn.generation, {
    status: "failed",
    errorCode: error.code,
    errorMessage: error.message,
    ...seen,
  });
  return { status: "ended" };
}

/** While a retry waits, no sign of life is due: the sweep must not take the turn for lost. */
async function expectSilence(turn: ClaimedTurn, seconds: number): Promise<void> {
  await db().query(
    "UPDATE turns SET heartbeat_at = now() + make_interval(secs => $3) WHERE id = $1 AND generation = $2",
    [turn.turnId, turn.generation, seconds],
  );
}

/** Ends a turn that the queue has given up on. Whoever worked on it can no longer write. */
export async function abandonTurn(turnId: string): Promise<void> {
  await endTurn(turnId, null, {
    status: "failed",
    errorCode: "INTERNAL_ERROR",
    errorMessage:
      "The answer could not be made because of a fault in the service. Nothing was charged; please try again.",
  });
}
