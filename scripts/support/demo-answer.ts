import { countWords } from "@/lib/domain/count-words";
import { MEMORY_QUESTION } from "@/lib/domain/memory-rules";
import { type DataBlock, splitBlocks } from "@/lib/domain/prompt-blocks";

export interface DemoTurn {
  role: string;
  text: string;
  imageCount: number;
}

/**
 * An answer that nobody can take for a model's: it says that it is a demo answer, then shows what came in. So a
 * client sees that the question, the file and the conversation got through. The same input gives the same answer.
 */
export function demoAnswer(turns: DemoTurn[]): string {
  const last = turns.findLast((turn) => turn.role === "user") ?? { role: "user", text: "", imageCount: 0 };
  const { blocks, rest } = splitBlocks(last.text);
  if (rest === MEMORY_QUESTION) return demoProfile(blocks);
  const earlier = turns.filter((turn) => turn.role === "user").slice(0, -1);
  return [
    "**This is a demo answer.** No AI model is connected, so nobody thought about this; it only shows that your request came through.",
    rest === "" ? "" : `You asked: “${shorten(rest, QUESTION_CHARACTERS)}”`,
    // Those of pages name what is counted below.
    ...blocks.filter(({ kind }) => kind !== "page").map(describeBlock),
    last.imageCount > 0 ? `Pictures received: ${last.imageCount}.` : "",
    describeEarlier(earlier),
    "To get real answers, set `OPENAI_API_KEY` (or `OPENAI_BASE_URL` for a compatible server) and start the service again.",
  ]
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

const QUESTION_CHARACTERS = 300;
const FIRST_WORDS_CHARACTERS = 160;

function describeBlock(block: DataBlock): string {
  const words = block.text.match(/\S+/g)?.length ?? 0;
  const lines = block.text === "" ? 0 : block.text.split("\n").length;
  const name = block.name === "" ? "text" : block.name;
  const size = `${block.kind}, ${countWords(words, "word")} in ${countWords(lines, "line")}`;
  return `File read: **${plain(name)}** (${size}). It begins: “${shorten(block.text, FIRST_WORDS_CHARACTERS)}”`;
}

/** What is asked for a profile is the service's own: people shall find there what came of their words, not that. */
function demoProfile(blocks: DataBlock[]): string {
  const conversation = blocks.find(({ tag }) => tag === "context")?.text ?? "";
  const said =
    conversation
      .split(/^End user: /m)
      .at(-1)
      ?.split(/^Assistant: /m)[0] ?? "";
  return [
    "- This is a demo profile: no AI model is connected, so nobody thought about what to remember.",
    `- Said last: “${shorten(said, FIRST_WORDS_CHARACTERS)}”`,
  ].join("\n");
}

function describeEarlier(earlier: DemoTurn[]): string {
  const before = earlier.at(-1);
  if (!before) return "";
  const question = shorten(splitBlocks(before.text).rest, FIRST_WORDS_CHARACTERS);
  return `This is message ${earlier.length + 1} of our conversation; before it you said: “${question}”`;
}

function shorten(text: string, limit: number): string {
  const line = plain(text.replace(/\s+/g, " ").trim());
  const characters = [...line];
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

/** What is quoted shall not become markup of the answer; an underscore within a word is none, and part of many names. */
function plain(text: string): string {
  return text
    .replace(/[*`[\]<>]|(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}
