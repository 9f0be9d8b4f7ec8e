import { RetryAfterError } from "inngest";
import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { env } from "@/lib/env";
import { abandonTurn } from "@/lib/services/turns/answer-turn";
import { followVideo } from "@/lib/services/turns/outputs/follow-video";

/** For faults of ours; the provider's are on the schedule of the questions. */
const RETRIES = 10;
const FAULT_DELAY_MS = 5_000;

/**
 * Asks after a video until it is there, sleeping in between: neither a place of the queue nor a connection waits with it
 * (docs/decisions/0015-binary-outputs.md).
 */
export const finishVideoFunction = inngest.createFunction(
  {
    id: "finish-video",
    triggers: [{ event: "video/started" }],
    retries: RETRIES,
    concurrency: [
      { limit: env().TURN_CONCURRENCY },
      { key: "event.data.accountId", limit: env().TURN_CONCURRENCY_PER_ACCOUNT },
    ],
    onFailure: async ({ event, step }) => {
      const { turnId, generation } = event.data.event.data as ServiceEvents["video/started"];
      await step.run("abandon-turn", () => abandonTurn(turnId, generation));
    },
  },
  async ({ event, step }) => {
    const { turnId, generation } = event.data as ServiceEvents["video/started"];
    let delaySeconds = env().VIDEO_POLL_SECONDS;
    for (let question = 1; ; question++) {
      await step.sleep(`wait-${question}`, `${Math.max(1, Math.ceil(delaySeconds))}s`);
      const progress = await step.run(`follow-video-${question}`, () =>
        followVideo(turnId, generation).catch((error: unknown) => {
          throw new RetryAfterError("A fault of the service", FAULT_DELAY_MS, { cause: error });
        }),
      );
      if (progress.status === "ended") return;
      delaySeconds = progress.delaySeconds;
    }
  },
);
