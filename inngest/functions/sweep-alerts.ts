import { inngest } from "@/inngest/client";
import { mailAlerts } from "@/lib/services/alerts/mail-alerts";
import { watchKeys } from "@/lib/services/alerts/watch-keys";
import { watchUsage } from "@/lib/services/alerts/watch-usage";

/** Every five minutes: owners are alerted of credits, tokens and keys that go to an end, and told by mail of what stands open. */
export const sweepAlertsFunction = inngest.createFunction(
  { id: "sweep-alerts", triggers: [{ cron: "*/5 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  async ({ step }) => {
    const usage = await step.run("watch-usage", () => watchUsage());
    const keys = await step.run("watch-keys", () => watchKeys());
    const mailed = await step.run("mail-alerts", () => mailAlerts());
    return { usage, keys, mailed };
  },
);
