import { createCanvas } from "@napi-rs/canvas";

/** The smallest files, for tests, whose headers say a picture of this size. */
export function sampleImage(format: "png" | "jpeg" | "gif" | "webp", width: number, height: number): Uint8Array {
  return BUILDERS[format](width, height);
}

/** What a camera saw, 40 × 20 pixels, red on the left and blue on the right, with how it was held. */
export function samplePhoto(orientation: number, endian: "II" | "MM" = "MM"): Uint8Array {
  const canvas = createCanvas(40, 20);
  const context = canvas.getContext("2d");
  for (const [left, colour] of [
    [0, "red"],
    [20, "blue"],
  ] as const) {
    context.fillStyle = colour;
    context.fillRect(left, 0, 20, 20);
  }
  const photo = canvas.toBuffer("image/jpeg");
  return Buffer.concat([photo.subarray(0, 2), cameraNote(orientation, endian), photo.subarray(2)]);
}

/** The segment of a JPEG that says how the camera was held. */
export function cameraNote(orientation: number, endian: "II" | "MM"): Uint8Array {
  const note = Buffer.from(
    endian === "MM"
      ? [0x2a >> 8, 0x2a, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
      : [0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0],
  );
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, note.length + 10]), Buffer.from(`Exif\0\0${endian}`), note]);
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
