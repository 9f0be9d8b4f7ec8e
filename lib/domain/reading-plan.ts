import { creditsFor, estimateCredits } from "@/lib/domain/credits";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { TurnError } from "@/lib/domain/turn-errors";

/** How a text that is longer than the model's window is read: what each call may take, and what that comes to. */

/** More text than this is not read of one turn; as a file this is more than a reader takes of it. */
export const MAX_READING_TOKENS = 6_000_000;

/** Our own words around a part, and the block it stands in. */
export const PART_PROMPT_TOKENS = 400;

/** The longest answer to one part: models that think aloud count that too. What is kept of it is less. */
export const MAX_PART_TOKENS_OUT = 16_384;

/** What is kept of the answer to one part: enough for findings, little enough that many fit one call. */
const MAX_RESULT_TOKENS = 4_000;
const USUAL_RESULT_TOKENS = 400;
/** Of a short part, notes are short: as much of it as a usual answer is of what it is made from. */
const USUAL_SHARE_OF_PART = 0.1;
const LEAST_USUAL_RESULT_TOKENS = 100;
/** What is kept of a part on whose pages nothing is, about which nobody is asked. */
const EMPTY_RESULT_TOKENS = 60;
/** So that a join always takes several results, and the number of results falls from level to level. */
const RESULTS_PER_JOIN = 4;
/** Below this a part would be mostly what goes along with every one of them, at a multiple of what its text costs. */
const LEAST_ROOM_TOKENS = 2_000;
/** In a small window, of a few thousand tokens, parts may be shorter: so much of it is enough. */
const LEAST_ROOM_SHARE = 0.25;

export interface PartRoom {
  /** Text of one part, or results of one join, in tokens. */
  tokens: number;
  /** What is kept of one answer, in tokens. */
  resultTokens: number;
}

/**
 * What one call can take of the text beside what goes along with every call.
 * @param fixedTokens system message and instruction
 * @returns null when these leave no room worth reading in
 */
export function roomForParts(model: string, fixedTokens: number): PartRoom | null {
  const budget = inputBudgetTokens(findModel(model));
  const tokens = budget - Math.ceil(fixedTokens) - PART_PROMPT_TOKENS;
  if (tokens < Math.min(LEAST_ROOM_TOKENS, budget * LEAST_ROOM_SHARE)) return null;
  return { tokens, resultTokens: Math.min(MAX_RESULT_TOKENS, Math.floor(tokens / RESULTS_PER_JOIN)) };
}

/** Of a text that one call cannot take, where what goes along leaves no room to read it in parts: nobody answers from its beginning. */
export function noRoomToRead(): TurnError {
  return new TurnError(
    "MODEL_REJECTED",
    "The instruction, with the project's system prompt and knowledge, leaves the AI model no room to read the text. Shorten one of them, or set a model for the project that reads more at once.",
  );
}

export interface ReadingEstimate {
  /** 1 when the text fits one call. */
  parts: number;
  /** Of all calls together. */
  tokensIn: number;
  /** With the shortest answers. */
  creditsMin: number;
  /** With answers of the usual length: what is reserved. */
  creditsMax: number;
}

/** A text that was cut already, as far as it is known. */
export interface CutText {
  /** More than its length makes where pictures make parts. */
  parts: number;
  /** About how many of them the model is likely to be asked, not counting those on whose pages nothing is. */
  asked: number;
}

/**
 * What it costs to answer from a text of this length, in parts where it is longer than the window.
 * @param textTokens with those of pages that are shown as pictures, of what the model is asked about
 * @param cut without it, parts are full
 */
export function estimateReading(
  model: string,
  fixedTokens: number,
  textTokens: number,
  cut?: CutText,
): ReadingEstimate {
  const fixed = Math.ceil(fixedTokens);
  const text = Math.min(Math.ceil(textTokens), MAX_READING_TOKENS);
  const budget = inputBudgetTokens(findModel(model));
  const room = roomForParts(model, fixed);
  if ((fixed + text <= budget && (cut?.parts ?? 1) <= 1) || !room) {
    const tokensIn = Math.min(fixed + text, Math.max(fixed, budget));
    const { min, max } = estimateCredits(model, tokensIn);
    return { parts: 1, tokensIn, creditsMin: min, creditsMax: max };
  }
  const parts = Math.max(cut?.parts ?? 1, Math.ceil(text / room.tokens));
  const asked = parts - (cut ? cut.parts - cut.asked : 0);
  const each = usualResultTokens(text / Math.max(1, asked), room);
  const { calls, resultsIn } = countJoins(asked * each + (parts - asked) * EMPTY_RESULT_TOKENS, each, room);
  const tokensIn = Math.ceil(text + resultsIn + (asked + calls) * (fixed + PART_PROMPT_TOKENS));
  const answer = estimateCredits(model, resultsIn).tokensOut;
  return {
    parts,
    tokensIn,
    creditsMin: creditsFor(model, Math.floor(text + asked * fixed), Math.floor(asked)),
    creditsMax: creditsFor(model, tokensIn, Math.ceil((asked + calls) * each) + answer),
  };
}

function usualResultTokens(partTokens: number, { resultTokens }: PartRoom): number {
  const usual = Math.max(LEAST_USUAL_RESULT_TOKENS, Math.ceil(partTokens * USUAL_SHARE_OF_PART));
  return Math.min(usual, USUAL_RESULT_TOKENS, resultTokens);
}

/** All joins with the last one, which is the answer, and the results that they read. */
function countJoins(results: number, each: number, room: PartRoom): { calls: number; resultsIn: number } {
  let calls = 1;
  let resultsIn = 0;
  let left = Math.ceil(results);
  while (left > room.tokens) {
    resultsIn += left;
    const joins = Math.ceil(left / room.tokens);
    calls += joins;
    left = joins * each;
  }
  return { calls, resultsIn: resultsIn + left };
}

/**
 * Puts results that follow each other together, so that each group fits one join.
 * @returns null when all fit the last call together
 */
export function groupResults(
  resultTokens: readonly number[],
  roomTokens: number,
): { first: number; last: number }[] | null {
  const groups: { first: number; last: number }[] = [];
  let sum = 0;
  for (const [index, tokens] of resultTokens.entries()) {
    const group = groups.at(-1);
    if (group && sum + tokens <= roomTokens) {
      group.last = index;
      sum += tokens;
    } else {
      groups.push({ first: index, last: index });
      sum = tokens;
    }
  }
  return groups.length <= 1 ? null : groups;
}
