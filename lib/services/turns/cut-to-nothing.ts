import type { OutputCut } from "@/lib/domain/session-status";
import { TurnError } from "@/lib/domain/turn-errors";

/** An answer that was ended before it said anything is none, and costs nothing: models that think aloud come to that. */
export function cutToNothing(outputCut: OutputCut): TurnError {
  return outputCut === "credits"
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        `The account's credits were used up ${BEFORE_A_WORD}; ask for more credits in the panel, and send it again.`,
      )
    : new TurnError("MODEL_REJECTED", CUT_TO_NOTHING[outputCut]);
}

/** JSON that breaks off fits no schema. */
export function cutShort(outputCut: OutputCut): TurnError {
  return outputCut === "credits"
    ? new TurnError(
        "INSUFFICIENT_CREDITS",
        "The account's credits were used up before the answer was whole. Nothing was charged; ask for more credits in the panel, and send it again.",
      )
    : new TurnError("OUTPUT_SCHEMA_NOT_MET", CUT_SHORT[outputCut]);
}

const CUT_SHORT = {
  length:
    "The answer was longer than the AI model's answers can be, and JSON that breaks off does not fit outputSchema. Nothing was charged; ask for less at once, or change the project's model.",
  filter:
    "The provider's content filter held part of the answer back, and what is left does not fit outputSchema. Nothing was charged; change the input and try again.",
} as const;

const BEFORE_A_WORD = "before the AI model said anything. Nothing was charged";

const CUT_TO_NOTHING = {
  length: `The length of the answer was used up ${BEFORE_A_WORD}; ask for less at once, or change the project's model.`,
  filter:
    "The provider's content filter held the whole answer back. Nothing was charged; change the input and try again.",
} as const;
