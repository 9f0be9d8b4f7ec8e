/** Files of sound written by hand, for tests: right in their headers, with a text in place of samples. */

export interface SampleSound {
  seconds: number;
  /** What the test model hears. */
  speech?: string;
}

const spoken = (speech = "") => Buffer.from(speech === "" ? "" : `{{say:${speech}}}`);

/** 8,000 bytes a second, silent but for the speech, and what is said later, by its second. */
export function sampleWav({ seconds, speech, later = {} }: SampleSound & { later?: Record<number, string> }): Buffer {
  const data = Buffer.alloc(Math.max(seconds * 8000, spoken(speech).length), 128);
  spoken(speech).copy(data);
  for (const [second, text] of Object.entries(later)) spoken(text).copy(data, Number(second) * 8000);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** Frames of 128 kbit/s at 44,100 Hz behind a tag; with `Xing` the first of them counts them. */
export function sampleMp3({ seconds, speech }: SampleSound, hasCount = false): Buffer {
  const frames = Math.round((seconds * 44_100) / 1152);
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0]);
  const first = Buffer.from(frame);
  first.write("Xing", 36, "latin1");
  first.set([0, 0, 0, 1], 40);
  first.writeUInt32BE(frames, 44);
  const tag = Buffer.concat([Buffer.from("ID3\x03\0\0\0\0\0", "latin1"), Buffer.from([20]), Buffer.alloc(20)]);
  return Buffer.concat([tag, hasCount ? first : frame, ...Array(frames - 1).fill(frame), spoken(speech)]);
}

/** Frames of layer II of 192 kbit/s at 48,000 Hz, whose sound has bytes like the head of a layer III frame in it. */
export function sampleMp2(seconds: number): Buffer {
  const frame = Buffer.alloc(576);
  frame.set([0xff, 0xfd, 0xa4, 0]);
  frame.set([0xff, 0xfb, 0x14, 0], 100);
  return Buffer.concat(Array(Math.round((seconds * 48_000) / 1152)).fill(frame));
}

export function sampleFlac({ seconds, speech }: SampleSound): Buffer {
  const head = Buffer.alloc(42);
  head.write("fLaC", 0, "latin1");
  head.set([0x80, 0, 0, 34], 4);
  head.writeUInt32BE((44_100 << 12) >>> 0, 18);
  head.writeUInt32BE(seconds * 44_100, 22);
  return Buffer.concat([head, spoken(speech)]);
}

/** With frames that can be told apart, of 4,096 samples each, behind a head that says how many samples there are. */
export function sampleFlacFrames({ seconds, speech }: SampleSound): Buffer {
  const frames = Math.floor((seconds * 44_100) / 4096);
  const head = sampleFlac({ seconds: 0 });
  head.set([16, 0, 16, 0], 8);
  // One channel, 16 bits.
  head.writeUInt32BE(((44_100 << 12) | (15 << 4)) >>> 0, 18);
  head.writeUInt32BE(frames * 4096, 22);
  const bytes = Buffer.concat([head, ...Array.from({ length: frames }, (_, index) => flacFrame(index))]);
  // Within the first frame.
  spoken(speech).copy(bytes, head.length + 8);
  return bytes;
}

/** One channel of 16 bits at 44,100 Hz, 4,096 samples. */
function flacFrame(index: number): Buffer {
  const number = index < 128 ? [index] : [0xc0 | (index >> 6), 0x80 | (index & 63)];
  const head = [0xff, 0xf8, 0xc0, 0x08, ...number];
  return Buffer.concat([Buffer.from([...head, crc8(head)]), Buffer.alloc(60, index % 251)]);
}

function crc8(bytes: number[]): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 128 ? 7 : 0)) & 255;
  }
  return sum;
}

export function sampleOgg({ seconds, speech }: SampleSound): Buffer {
  const opus = Buffer.concat([Buffer.from("OpusHead", "latin1"), Buffer.from([1, 1, 0, 0]), Buffer.alloc(7)]);
  return Buffer.concat([oggPage(0, opus), oggPage(1, spoken(speech)), oggPage(seconds * 48_000, Buffer.alloc(4))]);
}

function oggPage(granule: number, data: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write("OggS", 0, "latin1");
  head.writeBigUInt64LE(BigInt(granule), 6);
  head.set([1, data.length], 26);
  return Buffer.concat([head, data]);
}

/** With these kinds of tracks. An M4A by its brand. */
export function sampleMp4(
  { seconds, speech }: SampleSound,
  { brand = "isom", tracks = ["soun"] }: { brand?: string; tracks?: ("soun" | "vide")[] } = {},
): Buffer {
  const length = Buffer.alloc(100);
  length.writeUInt32BE(1000, 12);
  length.writeUInt32BE(seconds * 1000, 16);
  const handler = (type: string) => box("hdlr", Buffer.concat([Buffer.alloc(8), Buffer.from(type), Buffer.alloc(13)]));
  return Buffer.concat([
    box("ftyp", Buffer.from(`${brand}\0\0\x02\0${brand}mp41`, "latin1")),
    box("mdat", spoken(speech)),
    box("moov", box("mvhd", length), ...tracks.map((type) => box("trak", box("mdia", handler(type))))),
  ]);
}

function box(name: string, ...contents: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + contents.reduce((sum, { length }) => sum + length, 0));
  head.write(name, 4, "latin1");
  return Buffer.concat([head, ...contents]);
}

/** With these types of tracks (1 pictures, 2 sound); without seconds as browsers record. */
export function sampleWebm({ seconds, speech }: Partial<SampleSound>, tracks = [2]): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE((seconds ?? 0) * 1000);
  const facts = [element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40]))];
  if (seconds !== undefined) facts.push(element([0x44, 0x89], duration));
  const entries = tracks.map((type) => element([0xae], element([0x83], Buffer.from([type]))));
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from("webm"))),
    // A segment of unknown length, as live recordings have.
    Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    element([0x15, 0x49, 0xa9, 0x66], ...facts),
    element([0x16, 0x54, 0xae, 0x6b], ...entries),
    element([0x1f, 0x43, 0xb6, 0x75], spoken(speech)),
  ]);
}

function element(id: number[], ...contents: Buffer[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([Buffer.from([...id, 0x40 | (length >> 8), length & 255]), ...contents]);
}
