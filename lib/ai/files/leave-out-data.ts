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
/** Data in lines has long ones, of which the last may be short. */
const LEAST_LINE_CHARACTERS = 40;
/** Between two lines; spelt out, as in JSON and XML, too. */
const LINE_END = /(?:\s|\\[rn]|&#(?:x[AD]|1[03]);){1,20}/iy;
const ROWS_PER_LOOK = 4_096;
const LAST_LINE = /[A-Za-z0-9+/]{1,40}={1,2}/y;

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
  for (let start = 0, row = 1; start < text.length; start++, row++) {
    if (row % ROWS_PER_LOOK === 0 && pace.isDue()) await pace.giveWay();
    let end = start;
    while (isLetter(text.charCodeAt(end))) end += 1;
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

/** The end of a line that is spelt out ends in a letter. */
function isNextLine(text: string, end: number, start: number): boolean {
  const behind = matchAt(LINE_END, text, end);
  return behind === start || behind === start + 1;
}

function isData(letters: string): boolean {
  return letters.length >= LEAST_CHARACTERS && /[A-Za-z]/.test(letters) && /\d/.test(letters) && !HASHES.test(letters);
}

/** Lists of such are what the file is about. */
const HASHES = /^(?:(?:[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})\s+){2}/i;

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
