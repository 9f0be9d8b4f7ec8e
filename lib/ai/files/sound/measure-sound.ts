import type { SoundFacts, SoundFormat } from "@/lib/ai/files/file-kinds";
import { measureFlac, measureOgg, measureWav } from "@/lib/ai/files/sound/measure-audio";
import { measureMp4 } from "@/lib/ai/files/sound/measure-mp4";
import { measureMpeg } from "@/lib/ai/files/sound/measure-mpeg";
import { measureWebm } from "@/lib/ai/files/sound/measure-webm";

/** How long a file of sound is and what it holds, as its own headers say. Nothing is decoded; damage gives no length. */
export function measureSound(bytes: Uint8Array, format: SoundFormat): SoundFacts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const { seconds, ...tracks } = MEASURES[format](view);
    const isLength = seconds !== undefined && Number.isFinite(seconds) && seconds > 0 && seconds < MAX_SECONDS;
    return { hasSound: true, hasPictures: false, ...tracks, ...(isLength && { seconds }) };
  } catch (error) {
    // Read beyond the end of what is there.
    if (error instanceof RangeError) return { hasSound: true, hasPictures: false };
    throw error;
  }
}

/** What a file of some megabytes can hold; more is a broken header. */
const MAX_SECONDS = 7 * 24 * 3600;

const MEASURES: Record<SoundFormat, (view: DataView) => Partial<SoundFacts>> = {
  wav: (view) => ({ seconds: measureWav(view) }),
  mp3: (view) => ({ seconds: measureMpeg(view) }),
  flac: (view) => ({ seconds: measureFlac(view) }),
  ogg: (view) => ({ seconds: measureOgg(view) }),
  m4a: measureMp4,
  mp4: measureMp4,
  webm: measureWebm,
};
