import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { retryingFaults, retryingModel } from "@/inngest/functions/retry-turn";
import { limitDelays } from "@/lib/ai/retry-delay";
import { env } from "@/lib/env";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";
import { planJoins } from "@/lib/services/turns/parts/plan-joins";
import { readDocument } from "@/lib/services/turns/parts/read-document";
import { readPart } from "@/lib/services/turns/parts/read-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";

/** Faults of ours (database away, a crash) on top of the model's own retries. */
const SPARE_RETRIES = 6;
const MAX_RETRIES = 20;
const MODEL_RETRIES = env().MODEL_RETRY_DELAYS_SECONDS.length + limitDelays().length;

/**
 * Answers one turn. The body is the whole work, without a step: a step would cost a second call of the function and keep
 * nothing that the database does not. The text streams from the first attempt on, a crash at any point is one more
 * attempt, and the service makes sure that none doubles text, charge or event (docs/decisions/0001). Only a text that is
 * longer than the model's window is read in steps before the answer (docs/decisions/0014).
 */
export const answerTurnFunction = inngest.createFunction(
  {
    id: "answer-turn",
    triggers: [{ event: "turn/ready" }],
    retries: Math.min(MODEL_RETRIES + SPARE_RETRIES, MAX_RETRIES) as 20,
    concurrency: [
      { limit: env().TURN_CONCURRENCY },
      { key: "event.data.accountId", limit: env().TURN_CONCURRENCY_PER_ACCOUNT },
    ],
    priority: { run: "int(event.data.priority)" },
    onFailure: async ({ event, step }) => {
      const { turnId } = event.data.event.data as { turnId: string };
      await step.run("abandon-turn", () => abandonTurn(turnId));
    },
  },
  async ({ event, attempt, step }) => {
    const { turnId, tried = 0 } = event.data as ServiceEvents["turn/ready"];
    const call = { turnId, attempt };
    if ((await retryingModel(call, answerTurn(turnId, tried + attempt))) !== "parts") return;
    const isRead = await readDocument({
      run: (name, work) => step.run(name, work) as ReturnType<typeof work>,
      take: () => retryingFaults(call, takeReading(turnId)),
      read: async (generation, level, position) =>
        (await retryingModel(call, readPart({ turnId, generation, level, position }, attempt))) === "done",
      planJoins: (generation, level) => retryingFaults(call, planJoins(turnId, generation, level)),
    });
    if (isRead) await retryingModel(call, answerTurn(turnId, attempt, true));
  },
);
