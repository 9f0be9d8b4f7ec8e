import { patientDelay, retryDelay } from "@/lib/ai/retry-delay";
import type { TurnError } from "@/lib/domain/turn-errors";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";

/**
 * Seconds until a turn whose model failed is tried again; null when it is not. What is told of by webhooks, or comes with files,
 * waits for a provider's limit to pass; at a chat somebody may sit who would rather know (docs/decisions/0046).
 * @param attempt 0 for the first
 */
export function nextTry(
  turn: Pick<ClaimedTurn, "hasFiles" | "hasReceivers" | "fileContent" | "isInlineLong" | "limitedTries">,
  error: TurnError,
  attempt: number,
): number | null {
  const hasText = turn.fileContent !== null || turn.isInlineLong;
  if (!turn.hasFiles && !hasText && !turn.hasReceivers) return retryDelay(error, attempt);
  return patientDelay(error, attempt, { limitedTries: turn.limitedTries });
}
