/**
 * The file name of a part as its sender means it. Clients know three ways to write what does not fit into a header: as it is,
 * `%22` for a quote (browsers, curl), and words of RFC 2047 for all of it (.NET, mail libraries).
 */
export function readSentFileName(name: string): string {
  // Blanks between two words belong to neither.
  const whole = name.replace(/(\?=)\s+(?==\?)/g, "$1");
  return whole.replace(ENCODED_WORD, decodeWord).replaceAll("%22", '"');
}

const ENCODED_WORD = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;

/** A word that cannot be read stays as it is. */
function decodeWord(word: string, charset: string, form: string, text: string): string {
  const bytes = form.toLowerCase() === "b" ? Buffer.from(text, "base64") : quotedBytes(text);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return word;
  }
}

function quotedBytes(text: string): Buffer {
  const latin1 = text
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, "latin1");
}
