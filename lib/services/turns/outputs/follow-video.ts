import { openVideo, readVideo } from "@/lib/ai/model-port";
import { reasonOf } from "@/lib/ai/reason-of";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { type ClaimedTurn, findClaimedTurn } from "@/lib/services/turns/claim-together";
import { endTurn } from "@/lib/services/turns/end-turn";
import { expectSilence } from "@/lib/services/turns/expect-silence";
import { completeOutput } from "@/lib/services/turns/outputs/complete-output";
import { storeMadeOutput } from "@/lib/services/turns/outputs/store-made-output";
import { findTurnOutput, type TurnOutput } from "@/lib/services/turns/outputs/turn-output";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

/** What follows a question after a video. */
export type VideoProgress =
  /** Nothing more to ask: the turn ended, or another worker has it. */
  | { status: "ended" }
  /** Ask again after the delay. */
  | { status: "working"; delaySeconds: number };

/**
 * Asks once after the video of a turn; when it is there, stores it and completes the turn. Safe to run again: whatever was
 * done stays done, and a turn that was canceled or taken over is left alone.
 * @param generation of the worker that handed the turn over
 * @throws what is no fault of the call (database or store away, a bug): the queue tries again
 */
export async function followVideo(turnId: string, generation: number): Promise<VideoProgress> {
  const [turn, output] = await Promise.all([findClaimedTurn(turnId, generation), findTurnOutput(turnId)]);
  if (!turn || !output?.jobId) return { status: "ended" };
  // The model may have said something before it ordered the video, and so may a try of this that did not come to its end.
  const writer = new TurnWriter({ ...turn, hasRun: true });
  try {
    if (!output.draft && !(await isThere(output, writer.signal))) return await waitOn(turn, output, 0);
    await finish(turn, writer, output);
    return { status: "ended" };
  } catch (error) {
    if (error instanceof TurnLostError) return { status: "ended" };
    if (!(error instanceof TurnError)) throw error;
    return await failOrWait(turn, output, error);
  } finally {
    await writer.close();
  }
}

async function isThere({ jobId }: TurnOutput, signal: AbortSignal): Promise<boolean> {
  return (await readVideo(jobId ?? "", { signal })).status === "completed";
}

async function finish(turn: ClaimedTurn, writer: TurnWriter, output: TurnOutput): Promise<void> {
  const { signal } = writer;
  const draft =
    output.draft ??
    (await storeMadeOutput(turn, output.order, await openVideo(output.jobId ?? "", { signal }), signal));
  await writer.reset();
  await completeOutput(turn, writer, output, draft);
}

/** A question that could not be answered is asked again; the work itself goes on meanwhile. */
async function failOrWait(turn: ClaimedTurn, output: TurnOutput, error: TurnError): Promise<VideoProgress> {
  if (error.isRetryable && !isOverdue(output)) return waitOn(turn, output, error.retryAfterSeconds ?? 0);
  return fail(turn, output, error);
}

async function waitOn(turn: ClaimedTurn, output: TurnOutput, leastSeconds: number): Promise<VideoProgress> {
  if (isOverdue(output)) {
    return fail(turn, output, new TurnError("MODEL_TIMEOUT", "The AI model server did not finish the video in time."));
  }
  const delaySeconds = Math.max(env().VIDEO_POLL_SECONDS, (output.jobSeconds ?? 0) * SHARE_OF_VIDEO_WAIT, leastSeconds);
  return (await expectSilence(turn, delaySeconds)) ? { status: "working", delaySeconds } : { status: "ended" };
}

/** Long work is asked after less often: it comes at most a twentieth later, and the questions stay few. */
export const SHARE_OF_VIDEO_WAIT = 0.05;

function isOverdue({ jobSeconds }: TurnOutput): boolean {
  return (jobSeconds ?? 0) > env().VIDEO_TIMEOUT_SECONDS;
}

async function fail(turn: ClaimedTurn, { answer }: TurnOutput, error: TurnError): Promise<VideoProgress> {
  const { code: errorCode, message: errorMessage } = error;
  const { context } = answer;
  const reason = reasonOf(error);
  await endTurn(turn.turnId, turn.generation, { status: "failed", errorCode, errorMessage, reason, context });
  return { status: "ended" };
}
