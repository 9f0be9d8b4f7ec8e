import { inngest } from "@/inngest/client";
import { sweepRetention } from "@/lib/services/retention/sweep-retention";

/** Every hour: what projects keep for a time only is removed once it is older. */
export const sweepRetentionFunction = inngest.createFunction(
  { id: "sweep-retention", triggers: [{ cron: "23 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  ({ step }) => step.run("sweep-retention", () => sweepRetention()),
);
