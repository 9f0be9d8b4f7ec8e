import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";

/** At once to one receiver, so that a slow one fills its own places alone, and to all of them. */
const CONCURRENCY_PER_RECEIVER = 10;
const CONCURRENCY = 500;
/** For faults of ours; those of receivers are on the schedule of the delivery. */
const RETRIES = 10;

/**
 * Brings one delivery to its receiver: an attempt, a wait, the next attempt (§6.4). The service says what comes next
 * and sends nothing twice when a step is run again.
 */
export const deliverWebhookFunction = inngest.createFunction(
  {
    id: "deliver-webhook",
    triggers: [{ event: "delivery/ready" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.receiver", limit: CONCURRENCY_PER_RECEIVER }],
  },
  async ({ event, step }) => {
    const { deliveryId, round } = event.data as ServiceEvents["delivery/ready"];
    let number = 1;
    for (;;) {
      const current = number;
      const result = await step.run(`attempt-${current}`, () => attemptDelivery(deliveryId, round, current));
      if (result.outcome !== "retry") return result.outcome;
      await step.sleep(`wait-${current}`, `${Math.max(1, Math.ceil(result.delaySeconds))}s`);
      number = result.nextNumber;
    }
  },
);
