import { inngest } from "@/inngest/client";
import { sweepRetention } from "@/lib/services/retention/sweep-retention";
import { addUpAllSessions } from "@/lib/services/sessions/count-sessions";

/** Every hour: what projects keep for a time only is removed once it is older, and counts of sessions are added up. */
export const sweepRetentionFunction = inngest.createFunction(
  { id: "sweep-retention", triggers: [{ cron: "23 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  async ({ step }) => {
    const removed = await step.run("sweep-retention", () => sweepRetention());
    await step.run("add-up-sessions", () => addUpAllSessions());
    return removed;
  },
);
