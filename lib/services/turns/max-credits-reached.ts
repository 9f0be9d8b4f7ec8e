import { TurnError } from "@/lib/domain/turn-errors";

/**
 * Something costs more than the turn may: the bound is the call's `maxCredits`, or what its project lets each call cost.
 * @param what "The answer would cost"
 */
export function maxCreditsReached(what: string, maxCredits: number): TurnError {
  return new TurnError(
    "MAX_CREDITS_REACHED",
    `${what} more than maxCredits (${maxCredits}), which the call or its project sets.`,
  );
}
