import { inngest } from "@/inngest/client";
import { type RetentionSweep, sweepRetention } from "@/lib/services/retention/sweep-retention";
import { addUpAllSessions } from "@/lib/services/sessions/count-sessions";

/** Together 500,000 of each kind and project in an hour: what the largest project leaves behind in as long, and none runs for all of it. */
const MOST_SWEEPS = 25;

/**
 * Every hour: what projects keep for a time only is removed once it is older, sweep by sweep until nothing of it is left, and
 * counts of sessions are added up.
 */
export const sweepRetentionFunction = inngest.createFunction(
  { id: "sweep-retention", triggers: [{ cron: "23 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  async ({ step }) => {
    const sweeps: RetentionSweep[] = [];
    for (let number = 1; number <= MOST_SWEEPS; number += 1) {
      const name = number === 1 ? "sweep-retention" : `sweep-retention-${number}`;
      const sweep = await step.run(name, () => sweepRetention());
      sweeps.push(sweep);
      if (!sweep.isMore) break;
    }
    await step.run("add-up-sessions", () => addUpAllSessions());
    return sweeps;
  },
);
