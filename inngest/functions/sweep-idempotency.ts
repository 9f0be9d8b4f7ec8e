import { inngest } from "@/inngest/client";
import { sweepIdempotency } from "@/lib/services/idempotency/sweep-idempotency";

/** Every hour: idempotency keys that need not be kept any longer are removed. */
export const sweepIdempotencyFunction = inngest.createFunction(
  { id: "sweep-idempotency", triggers: [{ cron: "41 * * * *" }], retries: 0 },
  ({ step }) => step.run("sweep-idempotency", () => sweepIdempotency()),
);
