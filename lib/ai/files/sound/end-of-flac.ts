/**
 * Where a FLAC would end, by what its last frame says: each names its place among the samples, and the first block how many there are.
 * @param view of the whole file
 * @returns bytes: beyond the end of what is there when that breaks off; undefined where it does not count them, or no frame is found
 * @throws RangeError where not even the first block is there
 */
export function endOfFlac(view: DataView): number | undefined {
  const samples = countFlacSamples(view);
  const reached = samples === 0 ? undefined : lastSample(view, samples);
  if (reached === undefined) return undefined;
  // The rest is taken to be packed as what is there.
  return reached < samples ? Math.ceil((view.byteLength * samples) / reached) : view.byteLength;
}

/** As the first block says; 0 where the encoder did not know. */
export function countFlacSamples(view: DataView): number {
  return (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22);
}

/** A frame is smaller: 65,535 samples of two channels and 24 bits. */
const SEARCH_BYTES = 1024 * 1024;

/**
 * The sample behind the last frame that begins in the file. What is packed may look like the head of a frame: one counts when it
 * ends where another begins, or with all samples.
 */
function lastSample(view: DataView, samples: number): number | undefined {
  const blockSamples = view.getUint16(10);
  const ends = new Map<number, number>();
  for (let at = view.byteLength - 2; at >= Math.max(FIRST_BLOCK_BYTES, view.byteLength - SEARCH_BYTES); at--) {
    if (view.getUint8(at) !== 0xff || view.getUint8(at + 1) >>> 1 !== 0x7c) continue;
    const frame = readFrame(view, at, blockSamples);
    if (!frame || frame.end > samples) continue;
    if (frame.end === samples) return samples;
    const next = ends.get(frame.end);
    if (next !== undefined) return next;
    ends.set(frame.start, frame.end);
  }
  return undefined;
}

const FIRST_BLOCK_BYTES = 42;

/** Which samples the frame at this place holds; undefined where none begins, or its head is cut off. */
function readFrame(view: DataView, at: number, blockSamples: number): { start: number; end: number } | undefined {
  try {
    const number = readNumber(view, at + 4);
    const sizeCode = view.getUint8(at + 2) >>> 4;
    const rateCode = view.getUint8(at + 2) & 15;
    if (!number || sizeCode === 0 || rateCode === 15 || view.getUint8(at + 3) & 1) return undefined;
    const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
    const rateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
    const checkAt = number.endsAt + sizeBytes + rateBytes;
    if (crc8(view, at, checkAt) !== view.getUint8(checkAt)) return undefined;
    const size = readSize(view, number.endsAt, sizeCode);
    // Frames of one size are numbered, those of several name their first sample.
    const start = number.value * (view.getUint8(at + 1) & 1 ? 1 : blockSamples);
    return { start, end: start + size };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** In samples: of the list, or as it stands behind the number. */
function readSize(view: DataView, at: number, code: number): number {
  if (code === 6) return view.getUint8(at) + 1;
  if (code === 7) return view.getUint16(at) + 1;
  if (code === 1) return 192;
  return code < 6 ? 144 * 2 ** code : 2 ** code;
}

/** Written as UTF-8 writes letters, in up to seven bytes. */
function readNumber(view: DataView, at: number): { value: number; endsAt: number } | undefined {
  const first = view.getUint8(at);
  if (first < 0x80) return { value: first, endsAt: at + 1 };
  const bytes = Math.clz32(~(first << 24));
  if (bytes === 1 || bytes > 7) return undefined;
  let value = first & (0x7f >>> bytes);
  for (let next = at + 1; next < at + bytes; next++) {
    const byte = view.getUint8(next);
    if (byte >>> 6 !== 2) return undefined;
    value = value * 64 + (byte & 63);
  }
  return { value, endsAt: at + bytes };
}

/** Of a frame's head, by the polynomial 0x07. */
function crc8(view: DataView, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    sum ^= view.getUint8(at);
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 128 ? 7 : 0)) & 255;
  }
  return sum;
}
