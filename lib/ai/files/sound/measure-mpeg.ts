/** Where the frames of MPEG sound begin and how long they are: of MP3, and of its older layers (MP2, as radio stations and dictation machines write it). */

/** By the count of frames where the first one says it, else by the first one's rate. */
export function measureMpeg(view: DataView): number | undefined {
  const start = findMpegStart(view);
  if (!start) return undefined;
  const { at, frame, frames } = start;
  if (frames !== undefined) return (frames * frame.samples) / frame.rate;
  return ((view.byteLength - at) * 8) / frame.bitsPerSecond;
}

/** The first frame of such a file, and how many frames and bytes follow from there where it says so. */
export function findMpegStart(view: DataView) {
  const start = nameAt(view, 0).startsWith("ID3") ? 10 + syncSafe(view, 6) : 0;
  for (let at = start; at + 4 <= Math.min(view.byteLength, start + SEARCH_BYTES); at++) {
    const frame = readFrame(view.getUint32(at));
    if (frame && isFollowed(view, at, frame)) return { at, frame, ...readCounts(view, at + 4 + frame.sideBytes) };
  }
  return undefined;
}

/** What the encoder wrote into a first frame without sound. */
function readCounts(view: DataView, at: number): { frames?: number; bytes?: number } {
  if (at + 16 > view.byteLength || !/^(Xing|Info)$/.test(nameAt(view, at))) return {};
  const flags = view.getUint32(at + 4);
  const [hasFrames, hasBytes] = [(flags & 1) > 0, (flags & 2) > 0];
  return {
    ...(hasFrames && { frames: view.getUint32(at + 8) }),
    ...(hasBytes && { bytes: view.getUint32(at + (hasFrames ? 12 : 8)) }),
  };
}

const SEARCH_BYTES = 64 * 1024;
const RATES = [44_100, 48_000, 32_000];

/** Two heads in a row are no chance: bytes that look like one stand in every picture of a cover, and in sound itself. */
function isFollowed(view: DataView, at: number, frame: Frame): boolean {
  const next = at + frame.bytes;
  if (next + 4 > view.byteLength) return true;
  const following = readFrame(view.getUint32(next));
  return following?.layer === frame.layer && following.rate === frame.rate;
}

/** Kilobits of a second by the number in a frame's head, of the first version and of those behind it, by layer. */
const KILOBITS: Record<number, readonly [first: number[], later: number[]]> = {
  1: [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  ],
  2: [
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
  3: [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
};

interface Frame {
  layer: number;
  rate: number;
  bitsPerSecond: number;
  samples: number;
  bytes: number;
  /** Between its head and what an encoder may have counted in it. */
  sideBytes: number;
}

function readFrame(head: number): Frame | undefined {
  const [version, layer] = [(head >>> 19) & 3, 4 - ((head >>> 17) & 3)];
  const isFirst = version === 3;
  const kilobits = KILOBITS[layer]?.[isFirst ? 0 : 1][(head >>> 12) & 15] ?? 0;
  const baseRate = RATES[(head >>> 10) & 3] ?? 0;
  if (head >>> 21 !== 0x7ff || version === 1 || kilobits === 0 || baseRate === 0) return undefined;
  const rate = isFirst ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const bitsPerSecond = kilobits * 1000;
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  // The first layer counts in words.
  const slotBytes = layer === 1 ? 4 : 1;
  const slots = Math.floor((samples * bitsPerSecond) / (8 * slotBytes * rate)) + ((head >>> 9) & 1);
  const isMono = ((head >>> 6) & 3) === 3;
  const sideBytes = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return { layer, rate, bitsPerSecond, samples, bytes: slots * slotBytes, sideBytes };
}

/** Seven bits of each of four bytes. */
function syncSafe(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (view.getUint8(at + index) & 127), 0);
}

function nameAt(view: DataView, at: number): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("latin1", at, at + 4);
}
