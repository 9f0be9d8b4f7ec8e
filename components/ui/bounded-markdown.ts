/** Thrown where a text takes more work to lay out than a page can wait for. */
export class TangledMarkdown extends Error {}

/**
 * Steps that the parser may take again over what it has read already, for a text as a whole: a second, at most. A nested list
 * as long as an answer that is laid out takes as many; everything else that authors write takes far fewer.
 */
const MAX_STEPS = 60_000_000;
/** A link's parts are also moved, several times; and tokens of words are slow to look at. */
const LINK_STEPS = 4;
const WORD_STEPS = 8;
/** Signs of stress in a row are taken off one by one for those that they answer, with all that came of them before. */
const ROW_STEPS = 4;
/** In comments the parser goes through line by line, with all that a line may begin with. */
const COMMENT_STEPS = 3;
/** Behind each end of what is no link after all, everything that comes later is moved up once: so much of it in a step. */
const MOVED_IN_A_STEP = 8;

interface Token {
  type: string;
  _balanced?: boolean;
  _gfmAutolinkLiteralWalkedInto?: boolean;
}

/** A part of a text, as the parser (micromark) reads it: the document, what is in one container, or a paragraph. */
interface Reading {
  events: [kind: "enter" | "exit", token: Token, reading: unknown][];
  interrupt?: boolean;
  /** Where the parser is in the whole text. */
  now(): { offset: number };
}

type State = (code: number | null) => unknown;

interface Effects {
  enter(type: string): void;
  consume(code: number): void;
}

interface Construct {
  previous?: (code: number | null) => boolean;
  tokenize(this: Reading, effects: Effects, ok: State, nok: State): State;
}

type Charge = (steps: number) => void;

/**
 * Lets a text be parsed as ever, and throws `TangledMarkdown` as soon as it takes too much work. The parser goes back over what
 * it has read at each container that ends, each underlined heading, each end of a link, each sign of stress, also of many in a
 * row, and, behind an open bracket, each word; and it looks for the end of a comment behind each beginning of one: made for it, a
 * text takes minutes. A remark plugin; the steps are the same wherever it runs.
 * @param length of the text, in characters
 */
export function boundedMarkdown(this: { data(): object }, { length }: { length: number }): void {
  let steps = 0;
  const charge: Charge = (taken) => {
    steps += taken;
    if (steps > MAX_STEPS) throw new TangledMarkdown();
  };
  const data: { micromarkExtensions?: unknown[] } = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), chargingExtension(charge, length)];
}

function chargingExtension(charge: Charge, length: number) {
  const container = charging(({ events }) => {
    if (CONTAINER_PREFIXES.has(events.at(-1)?.[1].type ?? "")) charge(events.length);
  });
  const underline = charging(({ events, interrupt }) => {
    const last = events.findLast(([, { type }]) => !BETWEEN_BLOCKS.has(type));
    if (!interrupt && PARAGRAPHS.has(last?.[1].type ?? "")) charge(events.length);
  });
  const stress = chargingRows((pairs, { events }) =>
    charge(Math.max(1, pairs) * events.length + ROW_STEPS * pairs * Math.max(0, pairs - 1)),
  );
  const linkEnd = charging(({ events }) =>
    // As much as comes later came before, taken together.
    charge(LINK_STEPS * distanceOf(events, isOpenBracket) + events.length / MOVED_IN_A_STEP),
  );
  const word: Construct = {
    ...charging(({ events }) => charge(WORD_STEPS * distanceOf(events, endsWalk))),
    // As for addresses without brackets, whose beginnings each word is taken for.
    previous: (code) => code === null || !/[\w+./-]/.test(String.fromCharCode(code)),
  };
  return {
    document: { null: [container] },
    flow: { [codeOf("-")]: underline, [codeOf("=")]: underline },
    text: {
      ...Object.fromEntries(WORD_CHARACTERS.map((character) => [codeOf(character), word])),
      [codeOf("]")]: linkEnd,
      [codeOf("<")]: chargingComments(({ now }) => charge(COMMENT_STEPS * (length - now().offset))),
      [codeOf("*")]: stress,
      [codeOf("_")]: [word, stress],
      [codeOf("~")]: stress,
    },
  };
}

const CONTAINER_PREFIXES = new Set(["blockQuotePrefix", "listItemPrefix"]);
const BETWEEN_BLOCKS = new Set(["lineEnding", "linePrefix"]);
const PARAGRAPHS = new Set(["content", "paragraph"]);
const WORD_CHARACTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-._"];

/** A construct that is none: it counts what the real ones behind it are about to take. */
function charging(count: (reading: Reading) => void): Construct {
  return {
    tokenize(_effects, _ok, nok) {
      count(this);
      return nok;
    },
  };
}

/** The same for what begins like a comment, an instruction or a declaration of HTML, whose end may be anywhere. */
function chargingComments(count: (reading: Reading) => void): Construct {
  return {
    tokenize(effects, _ok, nok) {
      return (code) => {
        effects.enter("comment");
        effects.consume(code as number);
        return (next: number | null) => {
          if (next === codeOf("!") || next === codeOf("?")) count(this);
          return nok(next);
        };
      };
    },
  };
}

/** The same for rows of one sign, with how many of each row may answer some before it in the same text. */
function chargingRows(count: (pairs: number, reading: Reading) => void): Construct {
  const seen = new WeakMap<Reading["events"], Map<number, number>>();
  return {
    tokenize(effects, _ok, nok) {
      let length = 0;
      let sign: number | null = null;
      const read: State = (code) => {
        if (sign !== null && code !== sign) {
          const before = seen.get(this.events) ?? new Map<number, number>();
          const earlier = before.get(sign) ?? 0;
          seen.set(this.events, before.set(sign, earlier + length));
          count(Math.min(length, earlier), this);
          return nok(code);
        }
        if (code === null) return nok(code);
        if (sign === null) effects.enter("row");
        sign = code;
        length += 1;
        effects.consume(code);
        return read;
      };
      return read;
    },
  };
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

/** How far the parser goes back. */
function distanceOf(events: Reading["events"], isFound: (token: Token) => boolean): number {
  return events.length - 1 - events.findLastIndex(([, token]) => isFound(token));
}

function isOpenBracket({ type, _balanced }: Token): boolean {
  return (type === "labelLink" || type === "labelImage") && !_balanced;
}

function endsWalk(token: Token): boolean {
  return isOpenBracket(token) || token._gfmAutolinkLiteralWalkedInto === true;
}
