/** The smallest files, for tests, whose headers say a picture of this size. */
export function sampleImage(format: "png" | "jpeg" | "gif" | "webp", width: number, height: number): Uint8Array {
  return BUILDERS[format](width, height);
}

const BUILDERS = {
  png(width: number, height: number) {
    const header = Buffer.alloc(25);
    header.writeUInt32BE(13, 0);
    header.write("IHDR", 4, "latin1");
    header.writeUInt32BE(width, 8);
    header.writeUInt32BE(height, 12);
    header.set([8, 6, 0, 0, 0], 16);
    const data = Buffer.concat([Buffer.alloc(4), Buffer.from("IDAT"), Buffer.alloc(4)]);
    const end = Buffer.concat([Buffer.alloc(4), Buffer.from("IEND"), Buffer.alloc(4)]);
    return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), header, data, end]);
  },
  /** With metadata before the frame, as cameras write it. */
  jpeg(width: number, height: number) {
    const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
    const metadata = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 40]), Buffer.alloc(38, 0xc0)]);
    const frame = Buffer.from([
      0xff,
      0xc2,
      0,
      11,
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      1,
      1,
      0x11,
      0,
    ]);
    return Buffer.concat([start, metadata, frame, Buffer.from([0xff, 0xd9])]);
  },
  gif(width: number, height: number) {
    return Buffer.from([...Buffer.from("GIF89a"), width & 255, width >> 8, height & 255, height >> 8, 0, 0, 0, 0x3b]);
  },
  webp(width: number, height: number) {
    const body = Buffer.alloc(18);
    body.write("VP8X", 0, "latin1");
    body.writeUInt32LE(10, 4);
    body.writeUIntLE(width - 1, 12, 3);
    body.writeUIntLE(height - 1, 15, 3);
    const riff = Buffer.alloc(12);
    riff.write("RIFF", 0, "latin1");
    riff.writeUInt32LE(4 + body.length, 4);
    riff.write("WEBP", 8, "latin1");
    return Buffer.concat([riff, body]);
  },
};
