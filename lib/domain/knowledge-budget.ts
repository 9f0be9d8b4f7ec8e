import { cutText } from "@/lib/domain/cut-text";
import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";

/** How much of a prompt the knowledge base may take, and how its files are cut where they do not all fit. */

/** Knowledge takes at most this share of what the model can read: the rest is for the conversation and its files. */
const KNOWLEDGE_SHARE = 0.3;
/** Every call pays for what it reads: a large window is no reason to send more than a short book each time. */
const MAX_KNOWLEDGE_TOKENS = 60_000;

/** A section is at most this long: short enough to be chosen for what it says, long enough to say it. */
const MAX_SECTION_TOKENS = 1_000;
const MAX_HEADING_CHARACTERS = 200;
/** A file of nothing but headings must not become a million sections: further ones are cut by length alone. */
const MAX_HEADINGS = 2_000;

/** Tags and line breaks around a file in the prompt. */
const TOKENS_PER_BLOCK = 40;

/**
 * Tokens that knowledge may take of a call.
 * @param inputBudgetTokens what the model can read
 * @param takenTokens what the call sends in any case
 */
export function knowledgeBudgetTokens(inputBudgetTokens: number, takenTokens: number): number {
  const share = Math.min(MAX_KNOWLEDGE_TOKENS, Math.floor(inputBudgetTokens * KNOWLEDGE_SHARE));
  return Math.max(0, Math.min(share, inputBudgetTokens - takenTokens));
}

/** What a file of so many tokens takes in the prompt, with its name and delimiters. */
export function knowledgeFileCost(path: string, tokens: number): number {
  return tokens + estimateTokens(path) + TOKENS_PER_BLOCK;
}

/** A file or section that may be taken. */
export interface KnowledgeCost {
  /** Tokens in the prompt. */
  cost: number;
}

/** The candidates that fit, in their order; one that is too long is passed over for the ones after it. */
export function takeWhatFits<Candidate extends KnowledgeCost>(
  candidates: readonly Candidate[],
  budgetTokens: number,
): { taken: Candidate[]; tokens: number } {
  const taken: Candidate[] = [];
  let tokens = 0;
  for (const candidate of candidates) {
    if (tokens + candidate.cost > budgetTokens) continue;
    taken.push(candidate);
    tokens += candidate.cost;
  }
  return { taken, tokens };
}

/** A part of a Markdown text. */
export interface KnowledgeSection {
  /** The headings above it, from the outermost: "Prices > Enterprise"; empty before the first. */
  heading: string;
  /** With its heading line. */
  content: string;
}

/** Cuts a Markdown text at its headings, and sections that are too long at paragraphs, lines or words. */
export function splitSections(markdown: string): KnowledgeSection[] {
  return splitAtHeadings(markdown).flatMap(({ heading, content }) =>
    splitLong(content).map((piece) => ({ heading, content: piece })),
  );
}

/** All blanks go before the title: where a line separator ends it, each of them would be tried as its beginning. */
const HEADING = /^ {0,3}(#{1,6})[ \t]+(?![ \t])(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/;
/** Files written on Windows end their lines with two characters. */
const LINE_END = /\r\n?|\n/;

function splitAtHeadings(markdown: string): KnowledgeSection[] {
  const sections: KnowledgeSection[] = [];
  const above: { level: number; title: string }[] = [];
  let fence: string | undefined;
  let heading = "";
  let lines: string[] = [];
  const close = () => {
    const content = lines.join("\n").trim();
    if (content !== "") sections.push({ heading, content });
    lines = [];
  };
  for (const line of markdown.split(LINE_END)) {
    fence = fenceAfter(line, fence);
    // A comment in a code block looks like a heading.
    const found = fence === undefined ? HEADING.exec(line) : null;
    if (found && sections.length < MAX_HEADINGS) {
      close();
      const level = found[1]?.length ?? 1;
      while ((above.at(-1)?.level ?? 0) >= level) above.pop();
      above.push({ level, title: titleOf(found[2] ?? "") });
      heading = joinTitles(above);
    }
    lines.push(line);
  }
  close();
  return sections;
}

/** The marks of the code block that is open behind a line, if one is: it ends at as many of the same, alone on their line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, marks, words] = FENCE.exec(line) ?? [];
  if (marks === undefined || words === undefined) return open;
  if (open !== undefined) return marks.startsWith(open) && words.trim() === "" ? undefined : open;
  // Code within a line may be put between three marks too.
  return marks.startsWith("`") && words.includes("`") ? undefined : marks;
}

function joinTitles(above: { title: string }[]): string {
  const titles = above.map(({ title }) => title).filter((title) => title !== "");
  return cutText(titles.join(" > "), MAX_HEADING_CHARACTERS);
}

/** Without the closing marks that a heading may have. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return text.slice(0, end).trim();
}

function splitLong(content: string): string[] {
  const pieces: string[] = [];
  let head = "";
  let rest = content;
  while (rest !== "") {
    const start = takeTokens(rest, MAX_SECTION_TOKENS - (head === "" ? 0 : estimateTokens(head)));
    const end = start.length === rest.length ? start.length : cutBefore(start);
    const piece = (head + rest.slice(0, end)).trim();
    if (piece !== "") pieces.push(piece);
    head = tableHead(piece, rest.slice(end));
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

/** Of a head that is longer, little room is left for the rows below it. */
const MAX_TABLE_HEAD_TOKENS = MAX_SECTION_TOKENS / 4;
/** The line below the names of a table's columns. */
const TABLE_MARKS = /^[-|: \t]+$/;

/** The first two lines of the table that goes on behind a piece, if one does: rows alone do not say what their figures are. */
function tableHead(piece: string, behind: string): string {
  if (!/^\n[^\n]*\|/.test(behind)) return "";
  const lines = piece.split("\n");
  const [names = "", marks = ""] = lines.slice(lines.findLastIndex((line) => !line.includes("|")) + 1);
  const head = `${names}\n${marks}\n`;
  return TABLE_MARKS.test(marks) && marks.includes("-") && estimateTokens(head) <= MAX_TABLE_HEAD_TOKENS ? head : "";
}

/** Where to cut a text that is followed by more: at the last paragraph, line or word of its second half. */
function cutBefore(text: string): number {
  for (const separator of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(separator);
    if (at > text.length / 2) return at;
  }
  return text.length;
}
