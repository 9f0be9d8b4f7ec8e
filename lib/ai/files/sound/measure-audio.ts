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

function nameAt(view: DataView, at: number): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("latin1", at, at + 4);
}
