// Plain JavaScript, since a worker runs it from its source.
import { TEXT_TYPE } from "./mail-charset.mjs";

/** Charsets that mails name and the platform does not know: those of DOS, by their numbers, and UTF-7, which has one as well. */
const DOS = "(?:cs)?(?:pc)?(?:cp|ibm|dos|ms)?[-_]?0{0,2}(437|737|85[0278]|86[15])";
const UTF_7 = "(?:x-)?(?:unicode-1-1-)?utf-?7";
const CHARSET_OF_DOS = new RegExp(`(charset\\s*=\\s*"?)${DOS}(?=["\\s;]|$)`, "im");
const CHARSET_UTF_7 = new RegExp(`charset\\s*=\\s*"?${UTF_7}(?=["\\s;]|$)`, "im");
const WORD = new RegExp(`=\\?(?:${DOS}|${UTF_7})\\?([qb])\\?([^?\\r\\n]{0,500})\\?=`, "gi");
const NUMBER_OF_UTF_7 = 65_000;
/** 850 with the euro in the place of a letter of Turkish. */
const WITH_EURO = { number: 858, base: 850, byte: 0xd5 };

/** In it each byte beyond ASCII is a character that no text has: so it is known again after the parts were taken apart. */
const KEEPS_BYTES = "x-user-defined";
const KEPT = /[\uf780-\uf7ff]/g;

/**
 * A mail in whose fields such charsets are replaced by what its parser knows; what it reads of texts goes through
 * `readOldLetters` afterwards.
 * @param letters is told of what was found, also for mails inside of this one
 */
export async function withKnownCharsets(source, letters) {
  const text = source.toString("latin1");
  const types = text.match(TEXT_TYPE) ?? [];
  const isUtf7 = types.some((type) => CHARSET_UTF_7.test(type));
  const [dos] = types.flatMap((type) => CHARSET_OF_DOS.exec(type)?.[2] ?? []);
  if (!isUtf7 && dos === undefined && text.search(WORD) < 0) return source;
  const { utils } = await import("@e965/xlsx/dist/cpexcel.full.mjs");
  const decode = (number, bytes) => decodeOf(utils, Number(number), bytes);
  letters.decodeUtf7 ??= isUtf7 ? (bytes) => decode(NUMBER_OF_UTF_7, bytes) : undefined;
  letters.ofDos ??= dos ? Array.from({ length: 256 }, (_, byte) => decode(dos, Buffer.of(byte))) : undefined;
  const kept = text.replace(TEXT_TYPE, (type) => type.replace(CHARSET_OF_DOS, `$1${KEEPS_BYTES}`));
  const known = kept.replace(WORD, (_word, number, form, content) => {
    const bytes = form.toLowerCase() === "b" ? Buffer.from(content, "base64") : unquote(content);
    const shown = decode(number ?? NUMBER_OF_UTF_7, bytes);
    return `=?utf-8?b?${Buffer.from(shown).toString("base64")}?=`;
  });
  return Buffer.from(known, "latin1");
}

/** The letters of a text that was read out of such a mail. */
export function readOldLetters(text, { decodeUtf7, ofDos }) {
  const read = ofDos ? text.replace(KEPT, (kept) => ofDos[kept.charCodeAt(0) & 0xff]) : text;
  return decodeUtf7 ? read.replace(/\+[A-Za-z0-9+/]*-?/g, (run) => decodeUtf7(Buffer.from(run))) : read;
}

function decodeOf(utils, number, bytes) {
  if (number !== WITH_EURO.number) return utils.decode(number, bytes);
  return [...bytes]
    .map((byte) => (byte === WITH_EURO.byte ? "€" : utils.decode(WITH_EURO.base, Buffer.of(byte))))
    .join("");
}

/** Of an encoded word. */
function unquote(content) {
  const plain = content.replaceAll("_", " ");
  return Buffer.from(
    plain.replace(/=([0-9a-f]{2})/gi, (_byte, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}
