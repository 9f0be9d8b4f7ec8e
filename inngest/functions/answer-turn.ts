import { RetryAfterError } from "inngest";
import { inngest } from "@/inngest/client";
import { env } from "@/lib/env";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";

/** Faults of ours (database away, a crash) on top of the model's own retries. */
const SPARE_RETRIES = 6;
const MAX_RETRIES = 20;
const LONGEST_FAULT_DELAY_MS = 30_000;

function faultDelayMs(attempt: number): number {
  return Math.min(1_000 * 2 ** attempt, LONGEST_FAULT_DELAY_MS);
}

/**
 * Answers one turn. The body is the whole work, without a step: a step would cost a second call of the function and keep
 * nothing that the database does not. The text streams from the first attempt on, a crash at any point is one more
 * attempt, and the service makes sure that none doubles text, charge or event (docs/decisions/0001).
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
  async ({ event, attempt }) => {
    const { turnId } = event.data as { turnId: string };
    const outcome = await answerTurn(turnId, attempt).catch((error: unknown) => {
      // A fault of ours, mostly the database: try again soon, on the same schedule whichever engine runs this.
      throw new RetryAfterError("A fault of the service", faultDelayMs(attempt), { cause: error });
    });
    if (outcome.status === "retry") throw new RetryAfterError(outcome.reason, outcome.delaySeconds * 1_000);
  },
);
