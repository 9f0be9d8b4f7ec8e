import { guessEncoding, isWestern } from "@/lib/ai/files/text/guess-encoding";
import { guessLatin, isPlainDos, saysSomething } from "@/lib/ai/files/text/guess-latin";
import { readCharset } from "@/lib/domain/charset";

/**
 * Finds out how a text's bytes stand for characters; undefined when they are no text.
 * Byte order marks go first, then what the bytes allow, then what was declared, then what the text's own words tell.
 * @param isWhole whether `bytes` is all of the file: a beginning may end inside a character
 * @param contentType in which the sender may state an encoding, if the text itself does not
 */
export function findEncoding(bytes: Uint8Array, isWhole: boolean, contentType = ""): string | undefined {
  const marked = findMarkedEncoding(bytes);
  if (marked) return marked;
  const wide = findUnmarkedUtf16(bytes);
  if (wide) return wide;
  if (hasBinaryBytes(bytes)) return undefined;
  if (switchesToJapanese(bytes)) return "iso-2022-jp";
  if (isUtf8(bytes, isWhole)) return "utf-8";
  const sent = readCharset(contentType);
  // Many libraries state Latin-1, or ASCII, for whatever they send: the text's own words know better.
  const stated = sent === undefined || sent === WESTERN ? normalize(namedInText(bytes)) : sent;
  // "utf-8" would be a lie here, and the wide ones would have shown themselves.
  if (stated && !stated.startsWith("utf-")) return stated;
  // What stands before the first character beyond ASCII says nothing.
  const start = firstBeyondAscii(bytes);
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  const guessed = guessEncoding(sample);
  if (guessed) return guessed;
  // Lines of another encoding came into it, as into logs: in that one, the many others would be no words.
  if (isMostlyUtf8(bytes, 1)) return "utf-8";
  const isLatin = isWestern(sample) && saysSomething(bytes.subarray(0, start + SAMPLE_BYTES));
  const latin = isLatin ? (guessLatin(sample) ?? westernOf(sample)) : undefined;
  // Where they tell nothing, as a list of letters does, it is what was stated.
  return latin ?? (sent === WESTERN ? WESTERN : undefined);
}

/** Also of what states ISO-8859-1 or ASCII. */
const WESTERN = "windows-1252";

function westernOf(sample: Uint8Array): string | undefined {
  if (isPlainDos(sample)) return "cp850";
  if (hasLatinEuro(sample)) return "iso-8859-15";
  return hasUndefinedBytes(sample) ? undefined : WESTERN;
}

/** The encoding that HTML or XML names in its own beginning. */
function namedInText(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2048)).toString("latin1");
  const match =
    /^\s*<\?xml[^>]{0,200}encoding=["']([\w-]+)/.exec(beginning) ??
    /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(beginning);
  return match?.[1];
}

/** The encoding that a byte order mark states, when what follows bears it out. */
export function findMarkedEncoding(bytes: Uint8Array): string | undefined {
  const found = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  return found && (found.encoding === "utf-8" || isPlainUtf16(bytes, found.encoding)) ? found.encoding : undefined;
}

const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** So much of a text shows what it is. */
const SAMPLE_BYTES = 64 * 1024;

/** Wide text of mostly Latin letters has its zero bytes all on one side. */
function findUnmarkedUtf16(bytes: Uint8Array): string | undefined {
  const pairs = Math.min(bytes.length, SAMPLE_PAIRS_BYTES) >> 1;
  if (pairs < 2) return undefined;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let index = 0; index < pairs * 2; index += 2) {
    if (bytes[index] === 0) evenZeros += 1;
    if (bytes[index + 1] === 0) oddZeros += 1;
  }
  const encoding =
    oddZeros > pairs * 0.4 && evenZeros === 0
      ? "utf-16le"
      : evenZeros > pairs * 0.4 && oddZeros === 0
        ? "utf-16be"
        : undefined;
  return encoding && isPlainUtf16(bytes, encoding) ? encoding : undefined;
}

function isPlainUtf16(bytes: Uint8Array, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE_PAIRS_BYTES), { stream: true });
  return !/[\x00-\x08\x0e-\x19\x7f\uFFFD]/.test(text);
}

const SAMPLE_PAIRS_BYTES = 4096;

/** Control characters that no text has: a zero, or more than a stray one in 500 bytes. */
function hasBinaryBytes(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let controls = 0;
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === 0) return true;
    if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b && byte !== 0x1a) || byte === 0x7f) controls += 1;
  }
  return controls > length / 500;
}

/** Of Japanese mails: in bytes of ASCII, with an escape before what is none. */
function switchesToJapanese(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (text.includes("\x1b$B") || text.includes("\x1b$@")) && firstBeyondAscii(bytes) === -1;
}

/** By hand: asking a function about each byte takes ten times as long. */
function firstBeyondAscii(bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) if ((bytes[index] as number) > 0x7f) return index;
  return -1;
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return isMostlyUtf8(bytes, 20);
  }
}

/**
 * A long log with a few broken characters is UTF-8 all the same.
 * @param times how many sound characters beyond ASCII there are for each broken one
 */
function isMostlyUtf8(bytes: Uint8Array, times: number): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  let broken = 0;
  let sound = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) broken += 1;
    else if (code > 0x7f) sound += 1;
  }
  return sound > broken * times;
}

/**
 * Whether what Windows-1252 has as a sign of any currency, which nobody writes, is the euro of ISO-8859-15: that has none of the
 * marks of Windows, and as a mark between values it would stand right between them.
 */
function hasLatinEuro(sample: Uint8Array): boolean {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString("latin1");
  return text.includes("\xa4") && !/[\x80-\x9f]|[^\s;,"]\xa4[^\s;,."]/.test(text);
}

/** Bytes that stand for nothing in Windows-1252. */
function hasUndefinedBytes(sample: Uint8Array): boolean {
  return [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => sample.includes(byte));
}

function normalize(label: string | undefined): string | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
