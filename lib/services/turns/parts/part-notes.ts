import type { ModelAnswer } from "@/lib/ai/model-message";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import type { HeldBack, PartCoverage } from "@/lib/services/turns/parts/turn-part";

/** What is kept of a model's answer about a part. */
export interface PartNotes {
  output: string;
  heldBack?: HeldBack;
}

/**
 * The notes on a part as later calls get them. Notes that end before they were done say so in their last line: the answer
 * that is made of them would else pass off what it never saw as not being there.
 * @param maxTokens a model that was told a length may still exceed it, and joining would not end with results as long as
 *   their parts
 * @throws TurnError MODEL_UNAVAILABLE, to be tried again, when the model said nothing
 */
export function notesOf({ text, finishReason }: ModelAnswer, covers: PartCoverage, maxTokens: number): PartNotes {
  const notes = text.replaceAll("\0", "").trim();
  const isHeldBack = finishReason === "content_filter";
  if (notes === "") {
    if (isHeldBack) return { output: `${HELD_BACK} all notes on ${describeCoverage(covers.ranges)}.`, heldBack: "all" };
    throw new TurnError("MODEL_UNAVAILABLE", "The AI model gave no answer for a part of the text.", {
      isRetryable: true,
    });
  }
  if (isHeldBack) return { output: cutTo(notes, maxTokens, `${HELD_BACK} the rest of these notes.`), heldBack: "some" };
  const isWhole = finishReason !== "length" && takeTokens(notes, maxTokens) === notes;
  return { output: isWhole ? notes : cutTo(notes, maxTokens, NO_ROOM) };
}

const HELD_BACK = "The model provider's content filter held back";

const NO_ROOM = "These notes end here, before they were done: there was no room for more.";

/** The notes with a line of ours behind them, both within `maxTokens`. */
function cutTo(notes: string, maxTokens: number, line: string): string {
  const last = `\n\n[${line}]`;
  return takeTokens(notes, maxTokens - estimateTokens(last)) + last;
}
