import { reasonOf } from "@/lib/ai/reason-of";
import { retryDelay } from "@/lib/ai/retry-delay";
import type { TurnError } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
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

/** How long the tries of a model that fails are no news once one of them was told. */
const NEWS_EVERY_MS = 300_000;

/** Turns fail only after their last try, minutes after the model fell silent: the first try tells of it, once for all of them. */
function isNews(): boolean {
  const last = processSingleton("model-failure-told", () => ({ atMs: Number.NEGATIVE_INFINITY }));
  const nowMs = performance.now();
  if (nowMs - last.atMs < NEWS_EVERY_MS) return false;
  last.atMs = nowMs;
  return true;
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
    const about = { sessionId, turnId, code, attempt, delaySeconds, reason };
    log(isNews() ? "warn" : "info", "The model failed; it is asked again.", about);
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
