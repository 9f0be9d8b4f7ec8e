import { inngest } from "@/inngest/client";
import { redispatchDeliveries } from "@/lib/services/deliveries/redispatch-deliveries";

/** Every minute: deliveries whose attempt is long due are handed to the queue again. */
export const sweepDeliveriesFunction = inngest.createFunction(
  { id: "sweep-deliveries", triggers: [{ cron: "* * * * *" }], retries: 0 },
  ({ step }) => step.run("redispatch-deliveries", () => redispatchDeliveries()),
);
