import { setTimeout as delay } from "node:timers/promises";
import type { SoundFormat } from "@/lib/ai/files/file-kinds";
import { cutSound } from "@/lib/ai/files/sound/cut-sound";
import type { FileToUnderstand } from "@/lib/ai/files/understood-file";
import type { Transcript, TranscriptionRequest } from "@/lib/ai/model-message";
import { transcribe } from "@/lib/ai/model-port";
import { retryDelay } from "@/lib/ai/retry-delay";
import { MAX_SOUND_HOURS, MAX_SOUND_SECONDS, PIECE_BYTES, PIECE_SECONDS } from "@/lib/domain/transcription";
import { TurnError } from "@/lib/domain/turn-errors";

export interface SoundToTranscribe {
  model: string;
  /** Absent when it is more than one call takes: then it goes in pieces. */
  whole?: { bytes: Uint8Array; format: SoundFormat } | undefined;
  /** Its length, estimated where its file does not say it. */
  seconds: number;
}

/**
 * Has the sound of a file transcribed, and keeps what was written down. Also a transcript without a word is kept: it was paid
 * for like any other.
 * @throws TurnError UNSUPPORTED_FILE when it cannot be cut; those of the store's approval and of the model's port
 */
export async function transcribeFile(file: FileToUnderstand, sound: SoundToTranscribe): Promise<Transcript> {
  const { transcripts, signal, onHeard } = file;
  const { model, whole, seconds } = sound;
  transcripts?.approve(model, seconds);
  if (whole) await onHeard?.({ seconds: 0, ofSeconds: seconds });
  const transcript = whole
    ? await transcribe({ model, ...whole, signal })
    : await transcribeInPieces(file, model, seconds);
  await transcripts?.keep(model, transcript);
  return transcript;
}

/**
 * One piece after another, so that each knows how the one before ended. After a fault it goes on where it was: what was
 * written down is kept piece by piece.
 */
async function transcribeInPieces(file: FileToUnderstand, model: string, approvedSeconds: number): Promise<Transcript> {
  const { transcripts, lane, signal, onHeard } = file;
  let draft = (await transcripts?.findDraft(model)) ?? { text: "", until: 0, seconds: 0 };
  const tell = () => onHeard?.({ seconds: draft.seconds, ofSeconds: Math.max(approvedSeconds, draft.seconds) });
  await tell();
  const bounds = { fromSeconds: draft.until, maxBytes: PIECE_BYTES, maxSeconds: PIECE_SECONDS, lane, signal };
  await cutSound(file, bounds, async ({ bytes, format, until, heardSeconds }) => {
    if (heardSeconds > MAX_SOUND_SECONDS) throw new TurnError("UNSUPPORTED_FILE", TOO_LONG_MESSAGE);
    // A file may be longer than it says.
    if (heardSeconds > approvedSeconds) transcripts?.approve(model, heardSeconds);
    const saidBefore = draft.text.slice(-SAID_BEFORE_CHARACTERS);
    const { text } = await transcribePiece({ model, bytes, format, saidBefore, signal }, draft.until > 0);
    draft = { text: [draft.text, text.trim()].filter(Boolean).join("\n"), until, seconds: heardSeconds };
    await transcripts?.keepDraft(model, draft);
    await tell();
  });
  return { text: draft.text, seconds: draft.seconds };
}

/**
 * Once a piece was heard, also one without a word, another that the provider fails at is asked for again here: a long recording
 * would use up the tries of its turn.
 */
async function transcribePiece(request: TranscriptionRequest, isLater: boolean): Promise<Transcript> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await transcribe(request);
    } catch (error) {
      const seconds = isLater && error instanceof TurnError ? retryDelay(error, attempt) : null;
      if (seconds === null) throw error;
      await delay(seconds * 1_000, undefined, { signal: request.signal }).catch(() => request.signal?.throwIfAborted());
    }
  }
}

/** Models heed no more of it. */
const SAID_BEFORE_CHARACTERS = 400;
export const TOO_LONG_MESSAGE = `The recording is longer than ${MAX_SOUND_HOURS} hours, the most that is transcribed. Send it in parts.`;
