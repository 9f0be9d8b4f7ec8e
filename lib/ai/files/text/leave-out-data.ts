import { takePace } from "@/lib/give-way";

/**
 * A text without the files that it carries as letters (base64, hex): scans in an invoice's XML, pictures in notebooks and
 * contacts. They say nothing to read, and would cost more than all the rest.
 * Lets others work meanwhile.
 * @returns how many there were, too; a text of nothing else stays as it is
 */
export async function leaveOutData(text: string): Promise<{ text: string; count: number }> {
  const pieces: string[] = [];
  let end = 0;
  for (const data of await findData(text)) {
    pieces.push(text.slice(end, data.start));
    end = data.end;
  }
  const count = pieces.length;
  pieces.push(text.slice(end));
  const isAll = pieces.every((piece) => piece.trim() === "");
  return count === 0 || isAll ? { text, count: 0 } : { text: pieces.join(PLACE), count };
}

const PLACE = "[embedded data, not here]";
/** Certificates and keys have less. */
const LEAST_CHARACTERS = 4_096;
/** Data in lines has long ones, of which the last may be short; keys, addresses and codes in a list are mostly shorter. */
const LEAST_LINE_CHARACTERS = 60;
/** Between two lines; spelt out, as in JSON and XML, too. */
const LINE_END = /(?:\s|\\[rn]|&#(?:x[AD]|1[03]);){1,20}/iy;
const CHARACTERS_PER_LOOK = 65_536;
const LAST_LINE = /[A-Za-z0-9+/]{1,60}={1,2}/y;
/** So much of it shows what it is. */
const SAMPLE_CHARACTERS = 16_384;

interface Span {
  start: number;
  end: number;
}

/** Row by row and by hand: one expression for all of it would need more memory than there is. */
async function findData(text: string): Promise<Span[]> {
  const pace = takePace();
  const found: Span[] = [];
  let open: Span | undefined;
  const close = () => {
    if (open && isData(text.slice(open.start, open.end))) found.push({ ...open, end: endOf(text, open.end) });
  };
  let looked = 0;
  const look = async (at: number) => {
    looked = at;
    if (pace.isDue()) await pace.giveWay();
  };
  for (let start = 0; start < text.length; start++) {
    if (start - looked >= CHARACTERS_PER_LOOK) await look(start);
    let end = start;
    while (isLetter(text.charCodeAt(end))) {
      end = endOfLetters(text, end, end + CHARACTERS_PER_LOOK);
      if (end - looked >= CHARACTERS_PER_LOOK) await look(end);
    }
    if (end - start >= LEAST_LINE_CHARACTERS) {
      if (open && isNextLine(text, open.end, start)) open.end = end;
      else {
        close();
        open = { start, end };
      }
    }
    start = end;
  }
  close();
  return found;
}

/** A function of its own: in one that waits, such a loop takes ten times as long. */
function endOfLetters(text: string, start: number, latest: number): number {
  let end = start;
  while (end < latest && isLetter(text.charCodeAt(end))) end += 1;
  return end;
}

/** The end of a line that is spelt out ends in a letter. */
function isNextLine(text: string, end: number, start: number): boolean {
  const behind = matchAt(LINE_END, text, end);
  return behind === start || behind === start + 1;
}

function isData(letters: string): boolean {
  if (letters.length < LEAST_CHARACTERS) return false;
  const lines = letters.slice(0, SAMPLE_CHARACTERS).split(new RegExp(LINE_END.source, "gi"));
  const sample = lines.join("");
  if (!/[A-Za-z]/.test(sample) || !/\d/.test(sample)) return false;
  // The first may stand behind a name, and the last is what is left.
  const inner = lines.slice(1, -1);
  const width = inner[0]?.length ?? 0;
  if (isList(inner, width)) return false;
  return HEX.test(sample) ? !HASH_LENGTHS.has(width) : /[a-z]/.test(sample) && /[A-Z]/.test(sample);
}

/** Lines of their own: of many lengths, or each another one behind the same beginning. */
function isList(lines: string[], width: number): boolean {
  const others = lines.filter((line) => line.length !== width);
  if (others.length > lines.length * MOST_OTHER_LINES) return true;
  const start = lines[0]?.slice(0, 2) ?? "";
  return lines.length > 1 && new Set(lines).size === lines.length && lines.every((line) => line.startsWith(start));
}

/** Where one file ends and the next one begins. */
const MOST_OTHER_LINES = 0.1;
/** Programs write an x before it, and what is left of a 0 before that. */
const HEX = /^0?x?[\da-f]*$/i;
/** Lists of such are what the file is about. */
const HASH_LENGTHS = new Set([64, 96, 128]);

/** Behind the last line, where that is shorter than the others, and behind what fills it up. */
function endOf(text: string, end: number): number {
  const last = matchAt(LAST_LINE, text, matchAt(LINE_END, text, end) ?? end) ?? end;
  return last + (/^={1,2}/.exec(text.slice(last, last + 2))?.[0].length ?? 0);
}

function matchAt(expression: RegExp, text: string, start: number): number | undefined {
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : undefined;
}

/** Of base64, which has those of hex. */
function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (code >= 0x2b && code <= 0x39 && code !== 0x2c && code !== 0x2d && code !== 0x2e)
  );
}
