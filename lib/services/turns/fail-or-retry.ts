import { reasonOf } from "@/lib/ai/reason-of";
import type { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { endTurn } from "@/lib/services/turns/end-turn";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import type { TurnContext } from "@/lib/services/turns/turn-end";

/** What became of a turn whose model failed. */
export type FailedOutcome =
  /** It ended. */
  | { status: "ended" }
  /** Try again after the delay. */
  | { status: "retry"; delaySeconds: number; reason: string };

/** A server that asks for a longer wait than this gets no second try. */
const LONGEST_RETRY_AFTER_SECONDS = 300;

/**
 * Seconds until the next try of a turn whose model failed; null when there is none.
 * @param attempt 0 for the first
 */
export function retryDelay(error: TurnError, attempt: number): number | null {
  const delay = env().MODEL_RETRY_DELAYS_SECONDS[attempt];
  const wanted = error.retryAfterSeconds ?? 0;
  if (!error.isRetryable || delay === undefined || wanted > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(delay, wanted);
}

/**
 * Decides on another try, on the schedule of the settings or when the model's server wants it, or ends the turn as failed.
 * @param attempt 0 for the first
 * @param seen what was put together for the model, for the record of the turn
 */
export async function failOrRetry(
  turn: ClaimedTurn,
  error: TurnError,
  attempt: number,
  seen: { context?: TurnContext } = {},
): Promise<FailedOutcome> {
  const delaySeconds = retryDelay(error, attempt);
  const reason = reasonOf(error);
  if (delaySeconds !== null) {
    await expectSilence(turn, delaySeconds);
    const { sessionId, turnId } = turn;
    const { code } = error;
    log("info", "The model failed; it is asked again.", { sessionId, turnId, code, attempt, delaySeconds, reason });
    return { status: "retry", delaySeconds, reason: code };
  }
  await endTurn(turn.turnId, turn.generation, {
    status: "failed",
    errorCode: error.code,
    errorMessage: error.message,
    reason,
    ...seen,
  });
  return { status: "ended" };
}
