import { crc32, deflateSync } from "node:zlib";

/** Files made by hand, the smallest that are what they say. */

/** A grey picture. */
export function samplePng(width = 8, height = 8): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 128);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(rows)), pngChunk("IEND")]);
}

function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A Windows program, as far as its kind goes. */
export function sampleExe(): Buffer {
  const program = Buffer.alloc(256);
  program.write("MZ", 0, "latin1");
  program.writeUInt32LE(128, 60);
  program.write("PE\0\0", 128, "latin1");
  return program;
}
