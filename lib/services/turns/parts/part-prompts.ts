import { describeCoverage } from "@/lib/domain/document-ranges";
import { type DataBlock, renderBlock } from "@/lib/domain/prompt-blocks";
import type { PartCoverage, PartResult } from "@/lib/services/turns/parts/turn-part";

/**
 * What the model is told when it reads a document in parts. The words around the data are ours and the instruction is the
 * client's; parts and results stand in data blocks, which nothing in them can close.
 */

/** One part of the text. */
export function partPrompt(input: string, covers: PartCoverage, text: string, number: number, count: number): string {
  const where = describeCoverage(covers.ranges);
  const note = [`part ${number} of ${count}: ${where}`, covers.note].filter(Boolean).join("; ");
  const name = covers.ranges[0]?.name ?? "";
  const content = covers.heading === undefined ? text : `${covers.heading}\n${text}`;
  return [
    renderBlock({ tag: "document", name, kind: covers.kind, text: content, note }),
    `The document is too long to be read at once. Above is part ${number} of ${count} (${where}). Take from this part all that is needed for the task below, so that the task can be done later from the notes of all parts, without the document. Keep figures, names and wording exact, and say where each thing stands. Write notes only, at most about ${WORDS_OF_NOTES} words; do not do the task itself, and do not guess what other parts hold. When this part holds nothing for the task, say so in one line.`,
    `The task:\n${input}`,
  ].join("\n\n");
}

/** Results that are too many for one call, brought together into fewer. */
export function joinPrompt(input: string, results: readonly PartResult[]): string {
  return [
    ...results.map(renderResult),
    `Above are notes from parts of a document that is too long to be read at once. Bring them together into one set of notes, so that the task below can be done from it, without the document. Keep figures, names and wording exact, and where each thing stands; leave out what says nothing for the task, and what stands there twice. Write notes only, at most about ${WORDS_OF_NOTES} words; do not do the task itself.`,
    `The task:\n${input}`,
  ].join("\n\n");
}

/** The answer, from the results that remain. */
export function answerPrompt(input: string, results: readonly PartResult[]): string {
  return [
    ...results.map(renderResult),
    "Above are notes from all parts of a document that is too long to be read at once; together they cover all of it that was read. Do the task below from them as if you had the document itself before you. Do not say how it was read: that is added to your answer.",
    input,
  ].join("\n\n");
}

/** The block of a result, by which its tokens are counted too. */
export function renderResult({ covers, output }: Pick<PartResult, "covers" | "output">): string {
  const block: DataBlock = {
    tag: "document",
    name: `Notes: ${describeCoverage(covers.ranges)}`,
    kind: "notes",
    text: output,
  };
  return renderBlock(block);
}

/** What one result may hold (reading-plan.ts) in words, with room for languages whose words cost more. */
const WORDS_OF_NOTES = 1_200;
