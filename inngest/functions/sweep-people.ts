import { inngest } from "@/inngest/client";
import { sweepPeople } from "@/lib/services/people/sweep-people";

/** Every night: ended sessions, used links and old tries to sign in are removed. */
export const sweepPeopleFunction = inngest.createFunction(
  { id: "sweep-people", triggers: [{ cron: "17 3 * * *" }], retries: 0 },
  ({ step }) => step.run("sweep-people", () => sweepPeople()),
);
