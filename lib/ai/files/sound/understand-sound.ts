import type { BreakOff, SoundFacts, SoundFormat } from "@/lib/ai/files/file-kinds";
import type { SourceReader } from "@/lib/ai/files/reader/read-source";
import { lookAtSound } from "@/lib/ai/files/sound/cut-sound";
import { measureSound } from "@/lib/ai/files/sound/measure-sound";
import { missingBytes } from "@/lib/ai/files/sound/missing-bytes";
import { type SoundToTranscribe, TOO_LONG_MESSAGE, transcribeFile } from "@/lib/ai/files/sound/transcribe-file";
import { cutToTokens } from "@/lib/ai/files/text/read-text";
import { asText, budgetOf, type FileToUnderstand, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import {
  guessSoundSeconds,
  isShortEnough,
  MAX_SOUND_BYTES,
  MAX_SOUND_SECONDS,
  transcriptTokens,
} from "@/lib/domain/transcription";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { limitParallel } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";

/** Each of them holds a whole file, or a piece of a long one. */
const MAX_TRANSCRIPTIONS = 8;

/**
 * What is said in a file of sound or in a video, as its transcript: a long one is transcribed in pieces. A video's pictures
 * are left out, and said so: there is no decoder of video in plain JavaScript, and an encoder's binaries weigh more
 * than the service.
 * @param format undefined: a container that transcription does not take, whose sound goes in another one
 * @throws TurnError UNSUPPORTED_FILE when it is too long, or without any sound or any speech; those of the model's port
 */
export function understandSound(
  file: FileToUnderstand,
  reader: SourceReader,
  format: SoundFormat | undefined,
): Promise<UnderstoodFile> {
  const run = processSingleton("transcriptions", () => limitParallel(MAX_TRANSCRIPTIONS));
  return run(() => understandInTurn(file, reader, format), file);
}

async function understandInTurn(
  file: FileToUnderstand,
  reader: SourceReader,
  format: SoundFormat | undefined,
): Promise<UnderstoodFile> {
  const model = env().TRANSCRIPTION_MODEL;
  const { whole, missing, ...measured } = await measure(file, reader, format, model);
  if (!measured.hasSound) {
    throw new TurnError("UNSUPPORTED_FILE", "The video has no sound, and its pictures cannot be read yet.");
  }
  if ((measured.seconds ?? 0) > MAX_SOUND_SECONDS) throw new TurnError("UNSUPPORTED_FILE", TOO_LONG_MESSAGE);
  const kind = measured.hasPictures ? "video" : "audio";
  const skipped = measured.hasPictures && { skipped: { frames: true as const } };
  const soundSeconds = measured.seconds ?? guessSoundSeconds(file.size, file.contentType);
  const kept = await file.transcripts?.find(model);
  if (file.isQuote && !kept) {
    const tokens = Math.min(budgetOf(file), transcriptTokens(soundSeconds));
    return { kind, parts: [], extraction: { kind, ...atLength(measured.seconds), tokens, ...skipped }, soundSeconds };
  }
  const transcript = kept ?? (await transcribeFile(file, { model, whole, seconds: soundSeconds }));
  const full = transcript.text.trim();
  if (full === "") throw new TurnError("UNSUPPORTED_FILE", "No speech was heard in the file.");
  const text = cutToTokens(full, budgetOf(file));
  const cut = full.length - text.length;
  // What went in pieces was measured on the way.
  const seconds = whole ? (measured.seconds ?? transcript.seconds) : (transcript.seconds ?? measured.seconds);
  const breaksOff = findBreak(file.size, missing, measured.seconds, seconds);
  const understood = await asText(file, kind, text, {
    ...atLength(seconds),
    transcribedBy: model,
    ...(breaksOff && { breaksOff }),
    ...(cut > 0 && { leftOut: { reason: "window" as const, characters: cut } }),
    ...skipped,
  });
  return { ...understood, soundSeconds: seconds ?? soundSeconds };
}

interface MeasuredSound extends SoundFacts {
  /** As it came, where one call of the model takes all of it. */
  whole?: SoundToTranscribe["whole"];
  /** Bytes that it says it has and has not; undefined where it does not say it. */
  missing: number | undefined;
}

/** What the file says of itself. What is cut off goes in pieces, which says how much of it was heard. */
async function measure(
  file: FileToUnderstand,
  reader: SourceReader,
  format: SoundFormat | undefined,
  model: string,
): Promise<MeasuredSound> {
  const whole = format && (await readWhole(file, reader, format));
  const missing = missingBytes(whole?.bytes ?? (await reader.readTo(HEAD_BYTES)).bytes, file.size);
  const measured = whole && measureSound(whole.bytes, whole.format);
  if (measured && !missing && isShortEnough(model, measured.seconds)) return { ...measured, whole, missing };
  // What follows reads the file where it needs to.
  await reader.close();
  const { lane, signal } = file;
  const seen = await lookAtSound(file, { lane, signal });
  if (seen) return { ...seen, missing };
  // Perhaps the model's own decoder knows more than we do.
  if (measured) return { ...measured, whole, missing };
  throw new TurnError("UNSUPPORTED_FILE", format ? UNCUT_MESSAGE : UNKNOWN_MESSAGE);
}

/** With a cover before the sound. */
const HEAD_BYTES = 1024 * 1024;

/** @param stated seconds, where the file says its length; @param heard what was there of them */
function findBreak(size: number, missing: number | undefined, stated = 0, heard = 0): BreakOff | undefined {
  // It ends as it says; its other tracks may be longer than its sound.
  if (missing === 0) return undefined;
  const gap = Math.max(stated - heard, missing === undefined ? 0 : (heard * missing) / size);
  if (gap >= Math.max(MIN_GAP_SECONDS, heard / 100)) return { seconds: Math.round(gap) };
  return missing === undefined ? undefined : {};
}

/** Lengths differ by as much as a packet and what encoders put before the first. */
const MIN_GAP_SECONDS = 2;

async function readWhole({ size }: FileToUnderstand, reader: SourceReader, format: SoundFormat) {
  if (size > MAX_SOUND_BYTES) return undefined;
  const { bytes, isWhole } = await reader.readTo(MAX_SOUND_BYTES);
  return isWhole ? { bytes, format } : undefined;
}

const UNCUT_MESSAGE = `The sound of so large a file (over ${MAX_SOUND_BYTES / 1024 / 1024} MB) could not be read: it is damaged, or packed in an unusual way. Send it as MP3 or M4A.`;
const UNKNOWN_MESSAGE =
  "The sound of the file could not be read: it is damaged, or packed in an unusual way. Send it as MP3, M4A or WAV.";

function atLength(seconds: number | undefined): { seconds?: number } {
  return seconds === undefined ? {} : { seconds: Math.round(seconds * 10) / 10 };
}
