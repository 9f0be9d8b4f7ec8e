import { endOfFlac } from "@/lib/ai/files/sound/end-of-flac";
import { endOfOgg, findWavData } from "@/lib/ai/files/sound/measure-audio";
import { endOfMp4, looksLikeMp4 } from "@/lib/ai/files/sound/measure-mp4";
import { findMpegStart } from "@/lib/ai/files/sound/measure-mpeg";
import { endOfMatroska } from "@/lib/ai/files/sound/measure-webm";

/**
 * How many bytes a recording says that it has and has not, as one whose copying or uploading broke off: 0 where it ends as it
 * says, undefined where its container does not say it.
 * @param head its beginning, or all of it
 * @param size of the whole file, in bytes
 */
export function missingBytes(head: Uint8Array, size: number): number | undefined {
  try {
    const end = statedEnd(new DataView(head.buffer, head.byteOffset, head.byteLength), size);
    return end === undefined ? undefined : Math.max(0, end - size);
  } catch (error) {
    // Read beyond the end of what is there.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const MATROSKA = 0x1a45dfa3;
const RIFF = 0x52494646;
const OGG = 0x4f676753;
const FLAC = 0x664c6143;

function statedEnd(view: DataView, size: number): number | undefined {
  const mark = view.getUint32(0);
  if (mark === MATROSKA) return endOfMatroska(view);
  if (mark === RIFF) {
    const data = findWavData(view);
    return data?.size === undefined ? undefined : data.at + data.size;
  }
  if (mark === OGG) return view.byteLength === size ? endOfOgg(view) : undefined;
  if (mark === FLAC) return view.byteLength === size ? endOfFlac(view) : undefined;
  if (looksLikeMp4(view)) return endOfMp4(view, size);
  const mp3 = findMpegStart(view);
  return mp3?.bytes === undefined ? undefined : mp3.at + mp3.bytes;
}
