import type { ModelPart } from "@/lib/ai/model-message";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { type DataBlock, renderBlock } from "@/lib/domain/prompt-blocks";
import type { PartCoverage, PartResult } from "@/lib/services/turns/parts/turn-part";

/**
 * What the model is told when it reads a document in parts. The words around the data are ours and the instruction is the
 * client's; parts and results stand in data blocks, which nothing in them can close.
 */

/** A part of the text with the pictures of its pages. */
export interface ShownPart {
  covers: PartCoverage;
  text: string;
  /** From 1. */
  number: number;
  /** Parts of the text. */
  count: number;
  /** Each behind the number of its page. */
  pictures: ModelPart[];
  /** Pages without text that could not be drawn. */
  unreadable: number;
}

/** One part of the text, its pictures behind it. */
export function partPrompt(input: string, part: ShownPart): ModelPart[] {
  const { covers, text, number, count, pictures, unreadable } = part;
  const where = describeCoverage(covers.ranges);
  const missing = unreadable > 0 && `not here: pages without text (${unreadable})`;
  const note = [`part ${number} of ${count}: ${where}`, covers.note, missing].filter(Boolean).join("; ");
  const name = covers.ranges[0]?.name ?? "";
  const content = covers.heading === undefined ? text : `${covers.heading}\n${text}`;
  const document = renderBlock({ tag: "document", name, kind: covers.kind, text: content, note });
  const task = [
    `The document is too long to be read at once. Above is part ${number} of ${count} (${where}). Take from this part all that is needed for the task below, so that the task can be done later from the notes of all parts, without the document. Keep figures, names and wording exact, and say where each thing stands. Write notes only, at most about ${WORDS_OF_NOTES} words; do not do the task itself, and do not guess what other parts hold. When this part holds nothing for the task, say so in one line.`,
    `The task:\n${input}`,
  ].join("\n\n");
  if (pictures.length === 0) return [textPart(`${document}\n\n${task}`)];
  return [textPart(document), ...pictures, textPart(task)];
}

/** Words as a part of a message. */
export function textPart(text: string): ModelPart {
  return { type: "text", text };
}

/** What is kept of a part on whose pages nothing can be read, without asking the model. */
export function emptyPartNotes({ ranges }: PartCoverage): string {
  return `Nothing can be read on ${describeCoverage(ranges)}: there is no text, and no picture of the pages.`;
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
