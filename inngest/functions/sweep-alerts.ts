import { inngest } from "@/inngest/client";
import { runParts } from "@/inngest/functions/run-parts";
import { chatAlerts } from "@/lib/services/alerts/chat-alerts";
import { mailAlerts } from "@/lib/services/alerts/mail-alerts";
import { watchFailingSessions } from "@/lib/services/alerts/watch-failing-sessions";
import { watchKeys } from "@/lib/services/alerts/watch-keys";
import { watchKeysElsewhere } from "@/lib/services/alerts/watch-keys-elsewhere";
import { watchLimits } from "@/lib/services/alerts/watch-limits";
import { watchUsage } from "@/lib/services/alerts/watch-usage";

/** Every five minutes: owners are alerted of credits, tokens, limits and keys that go to an end, of keys used from elsewhere and of sessions that fail, and told by mail, and in their chat, of what stands open. */
export const sweepAlertsFunction = inngest.createFunction(
  { id: "sweep-alerts", triggers: [{ cron: "*/5 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  ({ step }) =>
    runParts(step, [
      ["watch-usage", watchUsage],
      ["watch-limits", watchLimits],
      ["watch-keys", watchKeys],
      ["watch-keys-elsewhere", watchKeysElsewhere],
      ["watch-failing-sessions", watchFailingSessions],
      ["mail-alerts", mailAlerts],
      ["chat-alerts", chatAlerts],
    ]),
);
