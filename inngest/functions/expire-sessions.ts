import { inngest } from "@/inngest/client";
import { expireSessions } from "@/lib/services/sessions/expire-sessions";

/** Every minute: sessions without activity expire. Short timeouts have a timer besides (see expiry-timer.ts). */
export const expireSessionsFunction = inngest.createFunction(
  { id: "expire-sessions", triggers: [{ cron: "* * * * *" }], retries: 0 },
  ({ step }) => step.run("expire-sessions", () => expireSessions()),
);
