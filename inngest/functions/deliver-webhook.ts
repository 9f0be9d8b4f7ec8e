import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";

/**
 * At once to one receiver, so that a slow one fills its own places alone, and to all of them: places for two accounts
 * all of whose receivers hang. What is under way at once goes through the database together: with 20 a delivery costs two thirds
 * of what it costs with 10.
 */
const CONCURRENCY_PER_RECEIVER = 20;
const CONCURRENCY = 2_000;
/** For faults of ours; those of receivers are on the schedule of the delivery. */
const RETRIES = 10;

/**
 * Brings one delivery to its receiver: an attempt, a wait, the next attempt (§6.4). The service says what comes next
 * and sends nothing twice when a step is run again. The first attempt is no step: most deliveries need one, and a step would
 * cost each of them a second call of the function. After a wait it only tells what came of it, so waits are named by the
 * attempt that they are for.
 */
export const deliverWebhookFunction = inngest.createFunction(
  {
    id: "deliver-webhook",
    triggers: [{ event: "delivery/ready" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.receiver", limit: CONCURRENCY_PER_RECEIVER }],
    priority: { run: "int(event.data.priority)" },
  },
  async ({ event, step }) => {
    const { deliveryId, round } = event.data as ServiceEvents["delivery/ready"];
    let result = await attemptDelivery(deliveryId, round, 1);
    while (result.outcome === "retry") {
      const { nextNumber, delaySeconds } = result;
      await step.sleep(`wait-for-${nextNumber}`, `${Math.max(1, Math.ceil(delaySeconds))}s`);
      result = await step.run(`attempt-${nextNumber}`, () => attemptDelivery(deliveryId, round, nextNumber));
    }
    return result.outcome;
  },
);
