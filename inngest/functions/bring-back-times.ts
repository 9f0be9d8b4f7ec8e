import { inngest } from "@/inngest/client";
import { bringBackTimes } from "@/lib/services/clock/bring-back-times";

/** Every ten minutes: what a clock that was ahead has left in times to come is brought back; the sweeps find it then. */
export const bringBackTimesFunction = inngest.createFunction(
  { id: "bring-back-times", triggers: [{ cron: "*/10 * * * *" }], retries: 0, concurrency: [{ limit: 1 }] },
  ({ step }) => step.run("bring-back-times", () => bringBackTimes()),
);
