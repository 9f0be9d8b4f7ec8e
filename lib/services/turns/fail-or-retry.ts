import { isNews } from "@/lib/ai/is-news";
import { reasonOf } from "@/lib/ai/reason-of";
import type { TurnError } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { endTurn } from "@/lib/services/turns/end-turn";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { nextTry } from "@/lib/services/turns/next-try";
import type { TurnContext } from "@/lib/services/turns/turn-end";

/** What became of a turn whose model failed. */
export type FailedOutcome =
  /** It ended. */
  | { status: "ended" }
  /** Try again after the delay. */
  | { status: "retry"; delaySeconds: number; reason: string };

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
  const delaySeconds = nextTry(turn, error, attempt);
  const reason = reasonOf(error);
  if (delaySeconds !== null) {
    const { sessionId, turnId } = turn;
    const { code } = error;
    await expectSilence(turn, delaySeconds, undefined, code === "MODEL_RATE_LIMITED");
    const about = { sessionId, turnId, code, attempt, delaySeconds, reason };
    // Turns fail only after their last try, minutes after the model fell silent: the first try tells of it, once for all of them.
    log(isNews("turn-tried-again") ? "warn" : "info", "The model failed; it is asked again.", about);
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
