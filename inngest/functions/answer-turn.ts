import { RetryAfterError } from "inngest";
import { inngest } from "@/inngest/client";
import { env } from "@/lib/env";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";

/** Faults of ours (database away, a crash) on top of the model's own retries. */
const SPARE_RETRIES = 6;
const MAX_RETRIES = 20;

/**
 * Answers one turn. The step does everything, so that the text streams from the first attempt on and a crash at any
 * point is one more attempt; the service makes sure that no attempt doubles text, charge or event.
 */
export const answerTurnFunction = inngest.createFunction(
  {
    id: "answer-turn",
    triggers: [{ event: "turn/ready" }],
    retries: Math.min(env().MODEL_RETRY_DELAYS_SECONDS.length + SPARE_RETRIES, MAX_RETRIES) as 20,
    concurrency: [
      { limit: env().TURN_CONCURRENCY },
      { key: "event.data.accountId", limit: env().TURN_CONCURRENCY_PER_ACCOUNT },
    ],
    onFailure: async ({ event, step }) => {
      const { turnId } = event.data.event.data as { turnId: string };
      await step.run("abandon-turn", () => abandonTurn(turnId));
    },
  },
  async ({ event, step, attempt }) => {
    const { turnId } = event.data as { turnId: string };
    await step.run("answer", async () => {
      const outcome = await answerTurn(turnId, attempt);
      if (outcome.status === "retry") throw new RetryAfterError(outcome.reason, outcome.delaySeconds * 1_000);
    });
  },
);
