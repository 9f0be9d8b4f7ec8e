/**
 * Between which models think aloud at the beginning of an answer, where their server does not part the two. `<thinking>` is none
 * of them: prompts ask for it as a part of the answer.
 */
const MARKS = [
  { begin: "<think>", end: "</think>" },
  // Of Mistral's.
  { begin: "[THINK]", end: "[/THINK]" },
];

/** Parts what a model thought from its answer, piece by piece. */
export interface ThoughtFilter {
  /** Takes the next piece of the text; returns what of the answer is certain by then. */
  take(piece: string): string;
  /** At the end of the text: the rest of the answer. Thoughts that never ended are all there is, and come whole. */
  end(): string;
}

/** Leaves out the thoughts with which a text begins. Marks further on are the answer's own; nothing is held back from there on. */
export function leaveOutThoughts(): ThoughtFilter {
  /** What may yet turn out to be the mark of thoughts. */
  let held = "";
  let thoughts: Thoughts | undefined;
  let hadThoughts = false;
  let isAnswer = false;

  function readOn(): string {
    for (;;) {
      const start = held.trimStart();
      const mark = MARKS.find(({ begin }) => start.startsWith(begin));
      if (!mark) return MARKS.some(({ begin }) => begin.startsWith(start)) ? "" : answer(held);
      thoughts = new Thoughts(mark.end);
      if (!goOn(held)) return "";
    }
  }

  /** @returns whether the thoughts have ended; what follows them is held then */
  function goOn(piece: string): boolean {
    const rest = thoughts?.take(piece);
    held = rest ?? "";
    if (rest === undefined) return false;
    thoughts = undefined;
    hadThoughts = true;
    return true;
  }

  function answer(text: string): string {
    isAnswer = true;
    // The blank lines before the answer belong to the thoughts.
    return hadThoughts ? text.trimStart() : text;
  }

  return {
    take(piece) {
      if (isAnswer) return piece;
      if (thoughts) return goOn(piece) ? readOn() : "";
      held += piece;
      return readOn();
    },
    end: () => (isAnswer ? "" : answer(thoughts?.text() ?? held)),
  };
}

class Thoughts {
  readonly #endMark: string;
  readonly #pieces: string[] = [];
  /** The end of the last piece, in which the mark may have begun. */
  #tail = "";

  constructor(endMark: string) {
    this.#endMark = endMark;
  }

  /** @returns what follows the thoughts, once they have ended */
  take(piece: string): string | undefined {
    const seen = this.#tail + piece;
    const at = seen.indexOf(this.#endMark);
    if (at !== -1) return seen.slice(at + this.#endMark.length);
    this.#pieces.push(piece);
    this.#tail = seen.slice(1 - this.#endMark.length);
    return undefined;
  }

  text(): string {
    return this.#pieces.join("");
  }
}
