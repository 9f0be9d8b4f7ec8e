import { limitDelays } from "@/lib/ai/retry-delay";
import { inTransaction } from "@/lib/db/pool";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import { env } from "@/lib/env";
import { announceEvent } from "@/lib/services/sessions/announce-event";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import type { FailedOutcome } from "@/lib/services/turns/fail-or-retry";
import { appendProgress } from "@/lib/services/turns/parts/append-progress";

/** For whoever looks on: why nothing happens for minutes. Null where the wait is none for a limit, or a short one. */
export function limitProgress(outcome: FailedOutcome, attempt: number): TurnProgress | null {
  const { length } = env().MODEL_RETRY_DELAYS_SECONDS;
  if (outcome.status !== "retry" || outcome.reason !== "MODEL_RATE_LIMITED" || attempt < length) return null;
  return limitedAfter(attempt + 1);
}

/** That it waits for a limit of the model's provider to pass. @param tries that were refused */
export function limitedAfter(tries: number): TurnProgress {
  const total = env().MODEL_RETRY_DELAYS_SECONDS.length + limitDelays().length + 1;
  return { stage: "limited", done: tries, total, covers: "" };
}

/** Tells the timeline so of a turn whose parts are read, several at once: its log has no single writer. */
export async function tellOfLimit(turn: ClaimedTurn, outcome: FailedOutcome, attempt: number): Promise<void> {
  const progress = limitProgress(outcome, attempt);
  if (!progress) return;
  // Announces no silence that was not announced; what is wanted of it is the lock.
  const event = await inTransaction(async (tx) =>
    (await expectSilence(turn, 0, tx)) ? appendProgress(tx, turn, progress) : null,
  );
  if (event) announceEvent(event);
}
