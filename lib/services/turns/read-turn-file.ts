import type { Extraction } from "@/lib/ai/files/file-kinds";
import type { LikelyPage } from "@/lib/ai/files/pages/look-at-pages";
import type { BytesSource } from "@/lib/ai/files/reader/read-source";
import { understandFile } from "@/lib/ai/files/understand-file";
import type { ModelPart } from "@/lib/ai/model-message";
import { db } from "@/lib/db/pool";
import type { TurnError } from "@/lib/domain/turn-errors";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import { openFileToRead } from "@/lib/services/files/open-file-to-read";
import { keepTranscripts, type TranscriptPayer } from "@/lib/services/turns/keep-transcripts";
import type { ConversationFile } from "@/lib/services/turns/load-conversation";

/** A file of the conversation as the model gets it, and what was read of it. */
export interface ReadFile {
  file: ConversationFile;
  parts: ModelPart[];
  extraction: Extraction;
  /** Of sound whose transcript this turn pays for. */
  soundSeconds?: number;
  /** As `understandFile` says it. */
  pagesToShow?: LikelyPage[];
  /** As `understandFile` says it. */
  refusal?: TurnError;
}

/** For whom files are read, and how. */
export interface ReadOptions {
  /** By which the places to read at are shared out (`turnLane`). */
  lane: string;
  projectId: string;
  model: string;
  /** What the conversation leaves of the model's window. */
  maxTokens: number;
  /** Null for a quote: nothing is paid for and nothing is noted. */
  payer: TranscriptPayer | null;
  signal?: AbortSignal;
  /** Reads a file to its end, whatever the window takes: it is read in parts with room for so many tokens. */
  partTokens?: number;
  /** What does not fit is read in parts afterwards. */
  isFirstLook?: boolean;
  /** Told while a recording is transcribed. */
  onProgress?: (progress: TurnProgress) => Promise<void>;
}

/**
 * Reads a file for the model and notes with the stored file what was read.
 * @throws TurnError UNSUPPORTED_FILE; for sound MAX_CREDITS_REACHED, INSUFFICIENT_CREDITS and those of
 * the model too; the signal's own reason
 */
export async function readTurnFile(file: ConversationFile, options: ReadOptions): Promise<ReadFile> {
  const { lane, projectId, model, maxTokens, payer, signal, partTokens, isFirstLook, onProgress } = options;
  const isQuote = payer === null;
  const transcripts = keepTranscripts(projectId, file.id, payer);
  const { soundSeconds, ...understood } = await understandFile({
    bytesSource: fileSource(projectId, file.id, signal),
    size: file.size,
    name: file.name,
    contentType: file.contentType,
    lane,
    model,
    maxTokens,
    isQuote,
    signal,
    partTokens,
    isFirstLook,
    transcripts,
    onHeard: ({ seconds, ofSeconds }) =>
      onProgress?.({
        stage: "heard",
        done: Math.round(seconds),
        total: Math.round(ofSeconds),
        covers: file.name,
      }) ?? Promise.resolve(),
  });
  const { parts, extraction, pagesToShow, refusal } = understood;
  const isPayer = soundSeconds !== undefined && (transcripts.isMine() || (isQuote && parts.length === 0));
  const more = { ...(pagesToShow && { pagesToShow }), ...(refusal && { refusal }), ...(isPayer && { soundSeconds }) };
  const read = { file, parts, extraction, ...more };
  if (isQuote) return read;
  await db().query("UPDATE stored_files SET extraction = $2 WHERE id = $1 AND extraction IS DISTINCT FROM $2::jsonb", [
    file.id,
    JSON.stringify(extraction),
  ]);
  return read;
}

/** Looked up once, however often it is read. */
function fileSource(projectId: string, fileId: string, signal: AbortSignal | undefined): BytesSource {
  let file: ReturnType<typeof openFileToRead> | undefined;
  return async (range) => {
    file ??= openFileToRead(projectId, fileId, signal);
    return (await file).bytesSource(range);
  };
}
