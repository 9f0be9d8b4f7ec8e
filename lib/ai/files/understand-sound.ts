import { createHash } from "node:crypto";
import type { SoundFormat } from "@/lib/ai/files/file-kinds";
import { limitParallel } from "@/lib/ai/files/limit-parallel";
import { measureSound } from "@/lib/ai/files/measure-sound";
import type { SourceReader } from "@/lib/ai/files/read-source";
import { cutToTokens } from "@/lib/ai/files/read-text";
import { asText, budgetOf, type FileToUnderstand, readAll, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import type { Transcript } from "@/lib/ai/model-message";
import { transcribe } from "@/lib/ai/model-port";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/** What providers take as one file of sound. */
const MAX_SOUND_BYTES = 25 * 1024 * 1024;
/** Each of them holds a whole file. */
const MAX_TRANSCRIPTIONS = 8;

/**
 * What is said in a file of sound or in a video, as its transcript. A video's pictures are left out, and said so.
 * @throws TurnError UNSUPPORTED_FILE above the provider's limit or without any sound; FILE_UNREADABLE; those of the
 * model's port
 */
export function understandSound(
  file: FileToUnderstand,
  reader: SourceReader,
  format: SoundFormat,
): Promise<UnderstoodFile> {
  const run = processSingleton("transcriptions", () => limitParallel(MAX_TRANSCRIPTIONS));
  return run(() => understandInTurn(file, reader, format));
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
  if (file.isQuote) {
    const seconds = measured.seconds ?? bytes.byteLength / USUAL_BYTES_PER_SECOND;
    const tokens = Math.min(budgetOf(file), Math.ceil(seconds * TOKENS_PER_SECOND));
    return { kind, parts: [], extraction: { kind, ...atLength(measured.seconds), tokens, ...skipped } };
  }
  const model = env().TRANSCRIPTION_MODEL;
  const transcript = await transcribeOnce(bytes, format, model);
  const full = transcript.text.trim();
  if (full === "") throw new TurnError("FILE_UNREADABLE", "No speech was heard in the file.");
  const text = cutToTokens(full, budgetOf(file));
  const cut = full.length - text.length;
  return asText(file, kind, text, {
    ...atLength(measured.seconds ?? transcript.seconds),
    transcribedBy: model,
    ...(cut > 0 && { leftOut: { reason: "window" as const, characters: cut } }),
    ...skipped,
  });
}

/** Of speech at the usual pace. */
const TOKENS_PER_SECOND = 3.5;
/** Of compressed sound whose length is not said. */
const USUAL_BYTES_PER_SECOND = 16_000;

function isContainer(format: SoundFormat): boolean {
  return format === "mp4" || format === "webm";
}

function atLength(seconds: number | undefined): { seconds?: number } {
  return seconds === undefined ? {} : { seconds: Math.round(seconds * 10) / 10 };
}

const MAX_KEPT_CHARACTERS = 8_000_000;

interface KeptTranscripts {
  byKey: Map<string, Transcript>;
  characters: number;
}

/**
 * The transcript of these very bytes. The newest are kept: a turn that is tried again and each further turn of the
 * conversation read the file anew, and the provider is paid by the minute.
 */
async function transcribeOnce(bytes: Uint8Array, format: SoundFormat, model: string): Promise<Transcript> {
  const kept = processSingleton<KeptTranscripts>("transcripts", () => ({ byKey: new Map(), characters: 0 }));
  const key = `${model}:${createHash("sha256").update(bytes).digest("base64")}`;
  const transcript = kept.byKey.get(key) ?? (await transcribe({ model, bytes, format }));
  // A map keeps its order: what was used last goes last.
  if (!kept.byKey.delete(key)) kept.characters += transcript.text.length;
  kept.byKey.set(key, transcript);
  for (const [oldest, { text }] of kept.byKey) {
    if (kept.characters <= MAX_KEPT_CHARACTERS) break;
    kept.byKey.delete(oldest);
    kept.characters -= text.length;
  }
  return transcript;
}
