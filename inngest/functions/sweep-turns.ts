import { inngest } from "@/inngest/client";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";

/** Every minute: turns that the queue has forgotten are handed to it again. */
export const sweepTurnsFunction = inngest.createFunction(
  { id: "sweep-turns", triggers: [{ cron: "* * * * *" }], retries: 0 },
  ({ step }) => step.run("redispatch-turns", () => redispatchTurns()),
);
