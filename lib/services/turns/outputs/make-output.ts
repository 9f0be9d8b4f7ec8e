import { Readable } from "node:stream";
import type { MakeOptions } from "@/lib/ai/model-message";
import { createImage, createSpeech } from "@/lib/ai/model-port";
import type { OutputOrder } from "@/lib/ai/tools/output-order";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { beginVideo } from "@/lib/services/turns/outputs/begin-video";
import { completeOutput } from "@/lib/services/turns/outputs/complete-output";
import { MAX_BYTES, storeMadeOutput } from "@/lib/services/turns/outputs/store-made-output";
import { findTurnOutput, type TurnOutput } from "@/lib/services/turns/outputs/turn-output";
import { collect, keepUnstored, takeUnstored } from "@/lib/services/turns/outputs/unstored-outputs";
import { TurnLostError, type TurnWriter } from "@/lib/services/turns/turn-writer";

/**
 * Carries out what a turn has ordered, from wherever an earlier worker stopped: what is stored is not made again, a video
 * that was begun is not begun again. A picture or speech ends the turn here; a video goes on in the background.
 * @throws TurnError; TurnLostError; what is no fault of the call
 */
export async function makeOutput(turn: ClaimedTurn, writer: TurnWriter, output: TurnOutput): Promise<void> {
  if (output.draft) {
    await completeOutput(turn, writer, output, output.draft);
    return;
  }
  const { order } = output;
  await writer.tell({ stage: "making", done: 0, total: 1, covers: MADE[order.tool] });
  const options = { signal: writer.signal, idempotencyKey: outputKey(turn) };
  if (order.tool === "create_video") {
    await beginVideo(turn, order, output.jobId, options);
    return;
  }
  const draft =
    order.tool === "create_image"
      ? await makeImage(turn, order, options)
      : await storeMadeOutput(
          turn,
          order,
          await createSpeech({ ...order, voice: env().SPEECH_VOICE }, options),
          writer.signal,
        );
  await completeOutput(turn, writer, output, draft);
}

const MADE: Record<TurnOutput["order"]["tool"], string> = {
  create_image: "a picture",
  create_speech: "speech",
  create_video: "a video",
};

/** A picture that the store did not take is stored by the next try: it costs the most, and is in memory anyhow. */
async function makeImage(turn: ClaimedTurn, order: OrderedImage, options: ImageOptions): Promise<UploadDraft> {
  const made = takeUnstored(turn.turnId) ?? (await collect(await createImage(order, options), MAX_BYTES.image));
  try {
    return await storeMadeOutput(turn, order, Readable.from(made), options.signal);
  } catch (error) {
    const isOver = error instanceof TurnError || error instanceof TurnLostError || options.signal.aborted;
    if (!isOver) keepUnstored(turn.turnId, made);
    throw error;
  }
}

type OrderedImage = Extract<OutputOrder, { tool: "create_image" }>;
type ImageOptions = MakeOptions & { signal: AbortSignal };

/** Goes on with the output that an earlier worker of the turn had ordered. */
export async function resumeOutput(turn: ClaimedTurn, writer: TurnWriter): Promise<void> {
  const output = await findTurnOutput(turn.turnId);
  // It goes with the turn alone: the turn ended since it was claimed.
  if (!output) throw new TurnLostError();
  await makeOutput(turn, writer, output);
}

/** The same for every try of one turn: providers that heed it make nothing twice. */
function outputKey({ turnId }: ClaimedTurn): string {
  return `${turnId}:output`;
}
