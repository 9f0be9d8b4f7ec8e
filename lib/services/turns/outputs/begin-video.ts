import type { MakeOptions, VideoOrder } from "@/lib/ai/model-message";
import { startVideo } from "@/lib/ai/model-port";
import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

/**
 * Has a video made and hands the turn over to the function that asks after it, which sleeps between its questions: a
 * waiting video takes nobody's place. A video that was begun before is only handed over.
 * @param jobId of the work that an earlier worker began
 * @throws TurnError; TurnLostError
 */
export async function beginVideo(
  turn: ClaimedTurn,
  order: VideoOrder,
  jobId: string | null,
  options: MakeOptions,
): Promise<void> {
  const id = jobId ?? (await startVideo(order, options));
  await inTransaction(async (tx) => {
    if (!(await expectSilence(turn, env().VIDEO_POLL_SECONDS, tx))) throw new TurnLostError();
    await tx.query({
      name: "note-video-job",
      text: "UPDATE turn_outputs SET job_id = $2, job_at = coalesce(job_at, now()) WHERE turn_id = $1",
      values: [turn.turnId, id],
    });
    const { turnId, generation, accountId } = turn;
    await enqueueEvents(tx, [{ name: "video/started", data: { turnId, generation, accountId } }]);
  });
  wakeRelay();
}
