import { isUtf8 } from "node:buffer";

/**
 * The file name of a part as its sender means it. Clients know four ways to write what does not fit into a header: as it is,
 * `%22` for a quote (browsers, curl), words of RFC 2047 for all of it (.NET, mail libraries), and `filename*` beside a name
 * that has other signs in their place (Apache's client).
 * @param disposition the part's `Content-Disposition`; its `filename*` counts first (RFC 6266 §4.3)
 */
export function readSentFileName(name: string, disposition = ""): string {
  const extended = extendedName(disposition);
  if (extended !== undefined) return extended;
  // Blanks between two words belong to neither.
  const whole = name.replace(/(\?=)\s+(?==\?)/g, "$1");
  return whole.replace(ENCODED_WORD, decodeWord).replaceAll("%22", '"');
}

/**
 * A part's header in UTF-8, as browsers send it. Command lines of Windows, such as its own curl, send a name in that machine's
 * code page, of which the western one is read here; in UTF-8 its umlauts would be no signs at all.
 * @param header one sign a byte; so is what comes back
 */
export function headerInUtf8(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? header : Buffer.from(new TextDecoder("windows-1252").decode(bytes)).toString("latin1");
}

const EXTENDED_NAME = /;\s*filename\*\s*=\s*"?([\w-]{1,40})'[^';"]*'([^;"\s]+)/i;

/** Undefined where there is none, or none that can be read. */
function extendedName(disposition: string): string | undefined {
  const [, charset, value = ""] = EXTENDED_NAME.exec(disposition) ?? [];
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytesOf(value, "%"));
  } catch {
    return undefined;
  }
}

const ENCODED_WORD = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;

/** A word that cannot be read stays as it is. */
function decodeWord(word: string, charset: string, form: string, text: string): string {
  const bytes = form.toLowerCase() === "b" ? Buffer.from(text, "base64") : bytesOf(text.replaceAll("_", " "), "=");
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return word;
  }
}

/** Of a text with escaped bytes: `=C3` or `%C3`. */
function bytesOf(text: string, sign: "=" | "%"): Buffer {
  const escaped = sign === "=" ? /=([0-9a-f]{2})/gi : /%([0-9a-f]{2})/gi;
  const latin1 = text.replace(escaped, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, "latin1");
}
