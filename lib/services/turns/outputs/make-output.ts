import { createImage, createSpeech } from "@/lib/ai/model-port";
import { env } from "@/lib/env";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { beginVideo } from "@/lib/services/turns/outputs/begin-video";
import { completeOutput } from "@/lib/services/turns/outputs/complete-output";
import { storeMadeOutput } from "@/lib/services/turns/outputs/store-made-output";
import { findTurnOutput, type TurnOutput } from "@/lib/services/turns/outputs/turn-output";
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
  const bytes =
    order.tool === "create_image"
      ? await createImage(order, options)
      : await createSpeech({ ...order, voice: env().SPEECH_VOICE }, options);
  await completeOutput(turn, writer, output, await storeMadeOutput(turn, order, bytes, writer.signal));
}

const MADE: Record<TurnOutput["order"]["tool"], string> = {
  create_image: "a picture",
  create_speech: "speech",
  create_video: "a video",
};

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
