import type { MadeBytes } from "@/lib/ai/model-message";
import { OUTPUT_TYPE_OF, type OutputOrder } from "@/lib/ai/tools/output-order";
import { isDatabaseAway } from "@/lib/db/failures";
import { db } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { TurnError } from "@/lib/domain/turn-errors";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

const MEGABYTE = 1024 * 1024;
/** The largest file of each kind that is kept. */
export const MAX_BYTES = { image: 64 * MEGABYTE, audio: 128 * MEGABYTE, video: 500 * MEGABYTE } as const;

/**
 * Streams what the provider made into the store and notes in the order where it is. The file belongs to nobody until the
 * turn completes with it: whatever happens before that, it is discarded, or swept.
 * @throws TurnError UNSUPPORTED_OUTPUT for what is too large or not of its kind; what reading the bytes throws;
 * TurnLostError; AppError when the store is away
 */
export async function storeMadeOutput(
  turn: ClaimedTurn,
  order: OutputOrder,
  bytes: MadeBytes,
  signal: AbortSignal,
): Promise<UploadDraft> {
  const outputType = OUTPUT_TYPE_OF[order.tool];
  const stored = await storeUpload(turn, {
    name: outputType,
    contentType: "",
    stream: bytes,
    maxBytes: MAX_BYTES[outputType],
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof AppError) || error.code !== "FILE_TOO_LARGE") throw error;
    throw new TurnError(
      "UNSUPPORTED_OUTPUT",
      `The AI model server made an ${outputType} file that is too large to keep.`,
      {
        cause: error,
      },
    );
  });
  try {
    const ending = endingOf(stored.contentType, outputType);
    const draft = { ...stored, name: `${outputType}.${ending}` };
    await noteDraft(turn, draft);
    return draft;
  } catch (error) {
    // Nobody knows whether it was noted by then: the next try finds it there, or makes another and leaves this to the sweep.
    if (!isDatabaseAway(error)) await waitBriefly(discardUpload(stored));
    throw error;
  }
}

/** What a provider calls a picture may be anything: the content has to be one that browsers and players know. */
const ENDINGS: Record<keyof typeof MAX_BYTES, Record<string, string>> = {
  image: { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif" },
  audio: {
    "audio/mpeg": "mp3",
    "audio/wav": "wav",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/aac": "aac",
    "audio/mp4": "m4a",
    "audio/x-m4a": "m4a",
  },
  video: { "video/mp4": "mp4", "video/webm": "webm", "video/quicktime": "mov" },
};

function endingOf(contentType: string, outputType: keyof typeof MAX_BYTES): string {
  const ending = ENDINGS[outputType][contentType];
  if (ending === undefined) {
    throw new TurnError("UNSUPPORTED_OUTPUT", `The AI model server sent something that is no ${outputType} file.`);
  }
  return ending;
}

/** From then on it is whoever's tries the turn next: it stays when this process dies. */
async function noteDraft({ turnId, generation }: ClaimedTurn, draft: UploadDraft): Promise<void> {
  const { rowCount } = await db().query({
    name: "note-output-draft",
    text: `WITH noted AS (
             UPDATE turn_outputs o SET draft = $3 FROM turns t
             WHERE o.turn_id = $1 AND t.id = $1 AND t.generation = $2 AND t.status = 'running' RETURNING 1),
           given_over AS (
             UPDATE pending_uploads SET leased_until = NULL WHERE storage_key = $4 AND EXISTS (SELECT FROM noted))
           SELECT FROM noted`,
    values: [turnId, generation, JSON.stringify(draft), draft.storageKey],
  });
  if (!rowCount) throw new TurnLostError();
}
