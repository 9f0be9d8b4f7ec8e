/** Elements of ASN.1, for tests. */
function element(tag: number, ...content: Uint8Array[]): Buffer {
  const inside = Buffer.concat(content);
  const length = Buffer.alloc(5, 0x84);
  length.writeUInt32BE(inside.length, 1);
  return Buffer.concat([Buffer.from([tag]), length, inside]);
}

/** One that does not say how long it is. */
function openElement(tag: number, ...content: Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.from([0, 0])]);
}

const kindOf = (last: number) => Buffer.from(`06092a864886f70d0107${last.toString(16).padStart(2, "0")}`, "hex");
const VERSION = Buffer.from([0x02, 0x01, 0x01]);

/** A file in its signature (P7M), without the names and sums of a real one. @param isStreamed in pieces, as long ones are written */
export function sampleSigned(content: Uint8Array, isStreamed = false): Buffer {
  const build = isStreamed ? openElement : element;
  const octets = isStreamed
    ? openElement(0x24, element(0x04, content.subarray(0, 5)), element(0x04, content.subarray(5)))
    : element(0x04, content);
  return wrap(
    build,
    2,
    build(0x30, VERSION, element(0x31), build(0x30, kindOf(1), build(0xa0, octets)), element(0x31)),
  );
}

/** A signature that stands apart from what it signs. */
export function sampleSignature(): Buffer {
  return wrap(element, 2, element(0x30, VERSION, element(0x31), element(0x30, kindOf(1)), element(0x31)));
}

/** What is encrypted for one reader. */
export function sampleEncrypted(): Buffer {
  return wrap(element, 3, element(0x30, VERSION, element(0x31), Buffer.alloc(90, 0xe1)));
}

function wrap(build: typeof element, kind: number, inside: Buffer): Buffer {
  return build(0x30, kindOf(kind), build(0xa0, inside));
}
