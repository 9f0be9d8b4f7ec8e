// Plain JavaScript, since a worker runs it from its source.
import { isUtf8 } from "node:buffer";

/** Whether a text was read in an encoding that it is not in. */
export function isGarbled(text) {
  return text.includes("\uFFFD");
}

/**
 * The mail with a charset for its texts that state none, and for fields in bare bytes.
 * @param isMisnamed for those that state UTF-8, too
 */
export function declareCharset(source, charset, isMisnamed) {
  const text = source.toString("latin1");
  const end = Math.max(0, text.search(/\r?\n\r?\n/));
  const fields = source.subarray(0, end);
  const head = isUtf8(fields) ? text.slice(0, end) : toLatin1(new TextDecoder(charset).decode(fields));
  const first = /^content-type:/im.test(head) ? "" : `Content-Type: text/plain; charset=${charset}\r\n`;
  const declared = (head + text.slice(end)).replace(TEXT_TYPE, (field) => {
    if (/charset/i.test(field)) return isMisnamed ? field.replace(UTF8_OR_NONE, `charset=${charset}`) : field;
    return `${field.trimEnd().replace(/;$/, "")}; charset=${charset}`;
  });
  return Buffer.from(first + declared, "latin1");
}

const UTF8_OR_NONE = /charset\s*=\s*("?)(?:utf-?8)?\1(?=[\s;]|$)/i;

/** Whether no letter beyond ASCII was read: whatever such a text states, it is no UTF-8. */
export function isMisnamed(text) {
  return isGarbled(text) && !/[\x80-\ufffc]/.test(text);
}

/** The field of a part, with the lines that it goes on in. */
export const TEXT_TYPE = /^content-type:[ \t]*text\/(?:plain|html|calendar)\b[^\r\n]*(?:\r?\n[ \t][^\r\n]*){0,10}/gim;

function toLatin1(text) {
  return Buffer.from(text).toString("latin1");
}

/**
 * A text that was read as Windows-1252 or ASCII, as its mail states, although its bytes are UTF-8: many programs state that of
 * whatever they send. Any other stays as it is: words in letters of the West are no UTF-8.
 */
export function withoutMisnaming(text, source) {
  if (!/[\x80-\uffff]/.test(text) || NAMED_UTF8.test(source.toString("latin1"))) return text;
  const bytes = toBytes(text);
  return bytes.length === text.length && isUtf8(bytes) ? bytes.toString() : text;
}

const NAMED_UTF8 = /charset\s*=\s*"?utf-?8/i;

/** The bytes of a text in Windows-1252, without the characters that it does not have. */
export function toBytes(text) {
  const bytes = Buffer.alloc(text.length);
  let length = 0;
  for (const character of text) {
    const byte = BYTES.get(character);
    if (byte !== undefined) bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder("windows-1252").decode(Uint8Array.of(byte)), byte]),
);
