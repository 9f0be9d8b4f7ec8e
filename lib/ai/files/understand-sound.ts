import type { SoundFormat } from "@/lib/ai/files/file-kinds";
import { limitParallel } from "@/lib/ai/files/limit-parallel";
import { measureSound } from "@/lib/ai/files/measure-sound";
import type { SourceReader } from "@/lib/ai/files/read-source";
import { cutToTokens } from "@/lib/ai/files/read-text";
import { asText, budgetOf, type FileToUnderstand, readAll, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import type { Transcript, TranscriptionRequest } from "@/lib/ai/model-message";
import { transcribe } from "@/lib/ai/model-port";
import { guessSoundSeconds, MAX_SOUND_BYTES, transcriptTokens } from "@/lib/domain/transcription";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/** Each of them holds a whole file. */
const MAX_TRANSCRIPTIONS = 8;

/**
 * What is said in a file of sound or in a video, as its transcript. A video's pictures are left out, and said so: there
 * is no decoder of video in plain JavaScript, and an encoder's binaries weigh more than the service.
 * @throws TurnError UNSUPPORTED_FILE above the provider's limit, without any sound or any speech; those of the model's
 * port
 */
export function understandSound(
  file: FileToUnderstand,
  reader: SourceReader,
  format: SoundFormat,
): Promise<UnderstoodFile> {
  const run = processSingleton("transcriptions", () => limitParallel(MAX_TRANSCRIPTIONS));
  return run(() => understandInTurn(file, reader, format), file);
}

async function understandInTurn(
  file: FileToUnderstand,
  reader: SourceReader,
  format: SoundFormat,
): Promise<UnderstoodFile> {
  const bytes = await readAll(file, reader, MAX_SOUND_BYTES, isContainer(format) ? "video" : "sound file");
  const measured = measureSound(bytes, format);
  if (!measured.hasSound) {
    throw new TurnError("UNSUPPORTED_FILE", "The video has no sound, and its pictures cannot be read yet.");
  }
  const kind = measured.hasPictures ? "video" : "audio";
  const skipped = measured.hasPictures && { skipped: { frames: true as const } };
  const soundSeconds = measured.seconds ?? guessSoundSeconds(bytes.byteLength, file.contentType);
  const model = env().TRANSCRIPTION_MODEL;
  const kept = await file.transcripts?.find(model);
  if (file.isQuote && !kept) {
    const tokens = Math.min(budgetOf(file), transcriptTokens(soundSeconds));
    return { kind, parts: [], extraction: { kind, ...atLength(measured.seconds), tokens, ...skipped }, soundSeconds };
  }
  const transcript =
    kept ?? (await transcribeAndKeep(file, { model, bytes, format, signal: file.signal }, soundSeconds));
  const full = transcript.text.trim();
  if (full === "") throw new TurnError("UNSUPPORTED_FILE", "No speech was heard in the file.");
  const text = cutToTokens(full, budgetOf(file));
  const cut = full.length - text.length;
  const seconds = measured.seconds ?? transcript.seconds;
  const understood = await asText(file, kind, text, {
    ...atLength(seconds),
    transcribedBy: model,
    ...(cut > 0 && { leftOut: { reason: "window" as const, characters: cut } }),
    ...skipped,
  });
  return { ...understood, soundSeconds: seconds ?? soundSeconds };
}

/** Also a transcript without a word is kept: it was paid for like any other. */
async function transcribeAndKeep(
  { transcripts }: FileToUnderstand,
  request: TranscriptionRequest,
  seconds: number,
): Promise<Transcript> {
  transcripts?.approve(request.model, seconds);
  const transcript = await transcribe(request);
  await transcripts?.keep(request.model, transcript);
  return transcript;
}

function isContainer(format: SoundFormat): boolean {
  return format === "mp4" || format === "webm";
}

function atLength(seconds: number | undefined): { seconds?: number } {
  return seconds === undefined ? {} : { seconds: Math.round(seconds * 10) / 10 };
}
