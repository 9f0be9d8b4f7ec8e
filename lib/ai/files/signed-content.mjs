// Plain JavaScript, since a worker runs it from its source.

/** Of "signed data" and "enveloped data" (CMS, PKCS #7), as they stand near the beginning of such a file. */
const SIGNED_DATA = Buffer.from("06092a864886f70d010702", "hex");
const ENCRYPTED_DATA = Buffer.from("06092a864886f70d010703", "hex");
const MAX_HEAD_BYTES = 32;
/** Signatures around signatures. */
const MAX_LAYERS = 5;
const MAX_DEPTH = 20;

const SEQUENCE = 0x30;
const OCTETS = 0x04;
const OCTETS_IN_PIECES = 0x24;
const FIRST_TAGGED = 0xa0;
const INDEFINITE = 0x80;

/** Whether bytes begin as a file in its signature does (P7M), as mails and invoices are sent. */
export function isSigned(bytes) {
  return beginsWith(bytes, SIGNED_DATA);
}

/** Whether bytes begin as what is encrypted for those who are to read it does. */
export function isEncrypted(bytes) {
  return beginsWith(bytes, ENCRYPTED_DATA);
}

function beginsWith(bytes, kind) {
  if (bytes[0] !== SEQUENCE) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_HEAD_BYTES)).includes(kind);
}

/**
 * What was signed. Whether the signature is sound is not looked at: nothing else of the file is read either way.
 * @param {Uint8Array} bytes
 * @returns {Buffer | undefined} undefined for what is not signed, for a signature that stands apart from what it signs, and for what is damaged
 */
export function signedContent(bytes) {
  if (!isSigned(bytes)) return undefined;
  let content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let layer = 0; content && isSigned(content); layer++) {
    if (layer === MAX_LAYERS) return undefined;
    content = unwrap(content);
  }
  return content;
}

/** A file as it was before it was signed, where it was. */
export function withoutSignature(bytes) {
  return signedContent(bytes) ?? bytes;
}

function unwrap(bytes) {
  try {
    const [, data] = childrenOf(bytes, elementAt(bytes, 0));
    const [signed] = childrenOf(bytes, data);
    const inside = childrenOf(bytes, signed).find(({ tag }, index) => tag === SEQUENCE && index > 0);
    const content = childrenOf(bytes, inside)[1];
    if (content?.tag !== FIRST_TAGGED) return undefined;
    const octets = Buffer.concat(childrenOf(bytes, content).map((piece) => octetsOf(bytes, piece)));
    return octets.length > 0 ? octets : undefined;
  } catch {
    return undefined;
  }
}

/** Long ones come in pieces. */
function octetsOf(bytes, element, depth = 0) {
  if (element.tag === OCTETS) return bytes.subarray(element.start, element.end);
  if (element.tag !== OCTETS_IN_PIECES || depth > MAX_DEPTH) throw new Error("no octets");
  return Buffer.concat(childrenOf(bytes, element).map((piece) => octetsOf(bytes, piece, depth + 1)));
}

function childrenOf(bytes, { start, end }) {
  const children = [];
  for (let at = start; at < end; at = children.at(-1).next) children.push(elementAt(bytes, at));
  return children;
}

/** An element in the basic rules of ASN.1: its content from `start` to `end`; the one behind it begins at `next`. */
function elementAt(bytes, at, depth = 0) {
  if (at + 2 > bytes.length || depth > MAX_DEPTH) throw new Error("broken off");
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (first === INDEFINITE) return openElement(bytes, tag, at + 2, depth);
  const lengthBytes = first > INDEFINITE ? first - INDEFINITE : 0;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  if (start + length > bytes.length) throw new Error("broken off");
  return { tag, start, end: start + length, next: start + length };
}

/** One that does not say how long it is ends with two zeros. */
function openElement(bytes, tag, start, depth) {
  let at = start;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) at = elementAt(bytes, at, depth + 1).next;
  return { tag, start, end: at, next: at + 2 };
}
