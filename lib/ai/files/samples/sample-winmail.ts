/** A message as Outlook packs it for itself, for tests. */

type Property = [kind: number, number: number, value: Uint8Array];
interface PackedFile {
  title?: string;
  data?: Uint8Array;
  properties?: Property[];
}

const number = (value: number, bytes = 4) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

export const wideText = (text: string): Buffer => Buffer.from(`${text}\0`, "utf16le");

/** @param body in the code page */
export function sampleWinmail(
  body: Uint8Array,
  codePage: number,
  files: PackedFile[],
  properties: Property[] = [],
): Buffer {
  return Buffer.concat([
    number(0x223e9f78),
    number(1, 2),
    attribute(1, 0x00069007, Buffer.concat([number(codePage), number(0)])),
    ...(body.length > 0 ? [attribute(1, 0x0002800c, Buffer.concat([body, number(0, 1)]))] : []),
    attribute(1, 0x00069003, pack(properties)),
    ...files.flatMap(({ title, data, properties: own }) => [
      attribute(2, 0x00069002, Buffer.alloc(14)),
      ...(title ? [attribute(2, 0x00018010, Buffer.from(`${title}\0`, "latin1"))] : []),
      ...(data ? [attribute(2, 0x0006800f, data)] : []),
      ...(own ? [attribute(2, 0x00069005, pack(own))] : []),
    ]),
  ]);
}

function attribute(level: number, id: number, data: Uint8Array): Buffer {
  return Buffer.concat([number(level, 1), number(id), number(data.length), data, number(0, 2)]);
}

/** Behind a number, a named one, and several of one kind, which say nothing here. */
function pack(properties: Property[]): Buffer {
  const named = Buffer.concat([
    number(0x0b, 2),
    number(0x8001, 2),
    Buffer.alloc(16),
    number(1),
    padded(wideText("x")),
    number(1),
  ]);
  const many = Buffer.concat([number(0x1003, 2), number(0x3a00, 2), number(2), number(1), number(2)]);
  const long = properties.map(([kind, id, value]) =>
    Buffer.concat([number(kind, 2), number(id, 2), number(1), padded(value)]),
  );
  return Buffer.concat([number(properties.length + 2), named, many, ...long]);
}

function padded(value: Uint8Array): Buffer {
  return Buffer.concat([number(value.length), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}
