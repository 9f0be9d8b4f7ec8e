import { diffWordsWithSpace, structuredPatch } from "diff";

/** A piece of a line; `isChanged` where the pair's other line says something else. */
export interface DiffPiece {
  text: string;
  isChanged: boolean;
}

export interface DiffLine {
  kind: "same" | "added" | "removed";
  /** Line numbers from 1; null on the side that does not have the line. */
  before: number | null;
  after: number | null;
  pieces: DiffPiece[];
}

/** Lines that changed, with a few around them; what is left out between two hunks is the same on both sides. */
export type DiffHunk = DiffLine[];

const CONTEXT_LINES = 3;
/**
 * Texts that differ in more lines than this are not compared line by line. The work grows with the square, on the server,
 * where everybody else waits for it.
 */
const MAX_EDITS = 1_500;
/** Longer lines are shown whole, without their changed words. */
const MAX_LINE_CHARACTERS = 2_000;
/** So are lines that differ in more words, which say nothing any more, and all behind so many characters of changed lines. */
const MAX_WORD_EDITS = 100;
const MAX_MARKED_CHARACTERS = 100_000;

/**
 * What changed from one text to the next, as hunks of lines; none when both have the same lines. A line break at the end
 * makes no line another one: `differInLastBreak` tells of it.
 */
export function diffLines(before: string, after: string): DiffHunk[] {
  const [from, to] = [withLastBreak(before), withLastBreak(after)];
  if (from === to) return [];
  const patch = structuredPatch("", "", from, to, "", "", { context: CONTEXT_LINES, maxEditLength: MAX_EDITS });
  const room: MarkingRoom = { characters: MAX_MARKED_CHARACTERS };
  if (!patch) return [markChangedWords(wholeHunk(linesIn(from), linesIn(to)), room)];
  return patch.hunks.map(({ oldStart, newStart, lines }) => markChangedWords(number(lines, oldStart, newStart), room));
}

/** Whether nothing but a line break at the end sets two texts apart. */
export function differInLastBreak(before: string, after: string): boolean {
  return before !== after && withLastBreak(before) === withLastBreak(after);
}

/** An empty text has no line at all, and stays so. */
function withLastBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function number(lines: string[], oldStart: number, newStart: number): DiffLine[] {
  let oldNumber = oldStart;
  let newNumber = newStart;
  const numbered: DiffLine[] = [];
  for (const line of lines) {
    const pieces = [{ text: line.slice(1), isChanged: false }];
    if (line.startsWith("-")) numbered.push({ kind: "removed", before: oldNumber++, after: null, pieces });
    else if (line.startsWith("+")) numbered.push({ kind: "added", before: null, after: newNumber++, pieces });
    else if (line.startsWith(" ")) numbered.push({ kind: "same", before: oldNumber++, after: newNumber++, pieces });
  }
  return numbered;
}

function linesIn(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

/** What stands between the lines that both texts begin and end with. */
function wholeHunk(from: string[], to: string[]): DiffHunk {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  const first = Math.max(0, start - CONTEXT_LINES);
  const signed = (sign: string, lines: string[]) => lines.map((line) => `${sign}${line}`);
  const lines = [
    ...signed(" ", from.slice(first, start)),
    ...signed("-", from.slice(start, from.length - end)),
    ...signed("+", to.slice(start, to.length - end)),
    ...signed(" ", from.slice(from.length - end).slice(0, CONTEXT_LINES)),
  ];
  return number(lines, first + 1, first + 1);
}

/** Of each kind, as many lines as a page can hold: every one is a row of a table, and a text may be nothing but line breaks. */
const MAX_SHOWN_LINES = 2_500;

/** What a page shows of a comparison, and how many lines that differ it leaves out. */
export function shownPart(hunks: DiffHunk[]): { shown: DiffHunk[]; left: number } {
  const room = { same: MAX_SHOWN_LINES, removed: MAX_SHOWN_LINES, added: MAX_SHOWN_LINES };
  let left = 0;
  const shown = hunks.map((lines) =>
    lines.filter(({ kind }) => {
      if (room[kind]-- > 0) return true;
      if (kind !== "same") left += 1;
      return false;
    }),
  );
  return { shown: shown.filter((lines) => lines.length > 0), left };
}

/** Characters that may still be compared word by word. */
interface MarkingRoom {
  characters: number;
}

/** Pairs removed lines with as many added ones after them, and marks the words in which they differ. */
function markChangedWords(lines: DiffLine[], room: MarkingRoom): DiffLine[] {
  const marked = [...lines];
  for (let start = 0; start < lines.length; ) {
    const removed = run(lines, start, "removed");
    const added = run(lines, start + removed, "added");
    if (removed > 0 && removed === added) {
      for (let index = start; index < start + removed; index++) markPair(marked, index, index + removed, room);
    }
    start += Math.max(1, removed + added);
  }
  return marked;
}

function run(lines: DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let length = 0;
  while (lines[start + length]?.kind === kind) length += 1;
  return length;
}

function markPair(lines: DiffLine[], removedAt: number, addedAt: number, room: MarkingRoom): void {
  const removed = lines[removedAt];
  const added = lines[addedAt];
  if (!removed || !added) return;
  const [before, after] = [textOf(removed), textOf(added)];
  const characters = before.length + after.length;
  if (characters > Math.min(MAX_LINE_CHARACTERS, room.characters)) return;
  room.characters -= characters;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS });
  if (!changes) return;
  // Lines with nothing in common but spaces are two lines, not one changed one.
  if (!changes.some(({ added: isAdded, removed: isRemoved, value }) => !isAdded && !isRemoved && value.trim())) return;
  const side = (skip: "added" | "removed") =>
    changes
      .filter((change) => !change[skip])
      .map(({ value, added: isAdded, removed: isRemoved }) => ({
        text: value,
        isChanged: isAdded || isRemoved,
      }));
  lines[removedAt] = { ...removed, pieces: side("added") };
  lines[addedAt] = { ...added, pieces: side("removed") };
}

function textOf({ pieces }: DiffLine): string {
  return pieces.map(({ text }) => text).join("");
}
