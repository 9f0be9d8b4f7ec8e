import { countFlacSamples } from "@/lib/ai/files/sound/end-of-flac";

/** Lengths of sound in seconds, from headers. Reading beyond the end throws a RangeError. */

/** Samples by the size of the data and the bytes of a second. */
export function measureWav(view: DataView): number | undefined {
  const data = findWavData(view);
  if (!data) return undefined;
  const rest = view.byteLength - data.at;
  return Math.min(data.size ?? rest, rest) / data.bytesPerSecond;
}

/** Where a WAV's samples begin, and how many bytes of them there are where it says so. */
export function findWavData(view: DataView): { at: number; size?: number; bytesPerSecond: number } | undefined {
  let bytesPerSecond = 0;
  for (let at = 12, count = 0; at + 8 <= view.byteLength && count < MAX_CHUNKS; count++) {
    const size = view.getUint32(at + 4, true);
    const name = nameAt(view, at);
    if (name === "fmt ") bytesPerSecond = view.getUint32(at + 16, true);
    if (name === "data" && bytesPerSecond > 0) {
      const isStated = size > 0 && size < UNSTATED_BYTES;
      return { at: at + 8, bytesPerSecond, ...(isStated && { size }) };
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** A recorder that was cut off, or whose output nobody could go back in, leaves zero, all ones, or nearly half of that. */
const UNSTATED_BYTES = 0x7fff0000;
/** Files have some dozens. */
const MAX_CHUNKS = 10_000;

/** Rate and count of samples stand in the first block. */
export function measureFlac(view: DataView): number | undefined {
  const rate = view.getUint32(18) >>> 12;
  const samples = countFlacSamples(view);
  return rate > 0 && samples > 0 ? samples / rate : undefined;
}

/** The last page says how many samples there were. */
export function measureOgg(view: DataView): number | undefined {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const lastPage = bytes.lastIndexOf("OggS");
  const vorbis = bytes.subarray(0, HEADER_BYTES).indexOf("\x01vorbis");
  const opus = bytes.subarray(0, HEADER_BYTES).indexOf("OpusHead");
  const rate = opus >= 0 ? OPUS_RATE : vorbis >= 0 ? view.getUint32(vorbis + 12, true) : 0;
  if (lastPage < 0 || rate === 0) return undefined;
  return (view.getUint32(lastPage + 6, true) + view.getUint32(lastPage + 10, true) * 2 ** 32) / rate;
}

/**
 * Where the last page ends: beyond the end of what is there when that is cut off.
 * @param view of the whole file
 */
export function endOfOgg(view: DataView): number | undefined {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const lastPage = bytes.lastIndexOf("OggS");
  const sizes = bytes.subarray(lastPage + 27, lastPage + 27 + view.getUint8(lastPage + 26));
  return lastPage + 27 + sizes.length + sizes.reduce((sum, size) => sum + size, 0);
}

const HEADER_BYTES = 4096;
const OPUS_RATE = 48_000;

/** By the count of frames where the first one says it, else by the first one's rate. */
export function measureMp3(view: DataView): number | undefined {
  const start = findMp3Start(view);
  if (!start) return undefined;
  const { at, frame, frames } = start;
  if (frames !== undefined) return (frames * frame.samples) / frame.rate;
  return ((view.byteLength - at) * 8) / frame.bitsPerSecond;
}

/** The first frame of an MP3, and how many frames and bytes follow from there where it says so. */
export function findMp3Start(view: DataView) {
  const start = nameAt(view, 0).startsWith("ID3") ? 10 + syncSafe(view, 6) : 0;
  for (let at = start; at + 4 <= Math.min(view.byteLength, start + SEARCH_BYTES); at++) {
    const frame = readFrame(view.getUint32(at));
    if (frame) return { at, frame, ...readCounts(view, at + 4 + frame.sideBytes) };
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
const KILOBITS_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KILOBITS_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44_100, 48_000, 32_000];

/** The head of a layer III frame. */
function readFrame(head: number) {
  if (head >>> 21 !== 0x7ff || ((head >>> 17) & 3) !== 1) return undefined;
  const version = (head >>> 19) & 3;
  const kilobits = (version === 3 ? KILOBITS_V1 : KILOBITS_V2)[(head >>> 12) & 15] ?? 0;
  const baseRate = RATES[(head >>> 10) & 3] ?? 0;
  if (version === 1 || kilobits === 0 || baseRate === 0) return undefined;
  const isMono = ((head >>> 6) & 3) === 3;
  const rate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  return {
    rate,
    bitsPerSecond: kilobits * 1000,
    samples: version === 3 ? 1152 : 576,
    sideBytes: version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  };
}

/** Seven bits of each of four bytes. */
function syncSafe(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (view.getUint8(at + index) & 127), 0);
}

function nameAt(view: DataView, at: number): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("latin1", at, at + 4);
}
