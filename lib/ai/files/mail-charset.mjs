// Plain JavaScript, since a worker runs it from its source.
import { isUtf8 } from "node:buffer";

/** Whether a text was read in an encoding that it is not in. */
export function isGarbled(text) {
  return text.includes("\uFFFD");
}

/** The mail with a charset for its texts that state none, and for fields in bare bytes. */
export function declareCharset(source, charset) {
  const text = source.toString("latin1");
  const end = Math.max(0, text.search(/\r?\n\r?\n/));
  const fields = source.subarray(0, end);
  const head = isUtf8(fields) ? text.slice(0, end) : toLatin1(new TextDecoder(charset).decode(fields));
  const first = /^content-type:/im.test(head) ? "" : `Content-Type: text/plain; charset=${charset}\r\n`;
  const declared = (head + text.slice(end)).replace(TEXT_TYPE, (field) =>
    /charset/i.test(field) ? field : `${field.trimEnd().replace(/;$/, "")}; charset=${charset}`,
  );
  return Buffer.from(first + declared, "latin1");
}

/** The field of a part, with the lines that it goes on in. */
const TEXT_TYPE = /^content-type:[ \t]*text\/(?:plain|html|calendar)\b[^\r\n]*(?:\r?\n[ \t][^\r\n]*){0,10}/gim;

function toLatin1(text) {
  return Buffer.from(text).toString("latin1");
}

/** The bytes of a text in Windows-1252, without the characters that it does not have. */
export function toBytes(text) {
  return Buffer.from([...`${text}\n`].flatMap((character) => BYTES.get(character) ?? []));
}

const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder("windows-1252").decode(Uint8Array.of(byte)), byte]),
);
