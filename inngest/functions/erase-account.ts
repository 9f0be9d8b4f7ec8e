import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { log } from "@/lib/log";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";

const CONCURRENCY = 1;
/** A store that is away for hours must not stop it; nor for good, for the sweep begins it anew. */
const RETRIES = 20;
const UNTIL_LATE_WRITES = "2m";

/**
 * Erases an account, and once more what was on its way while that was done. An account that the queue has twice, because it
 * seemed forgotten, is gone for the second run.
 */
export const eraseAccountFunction = inngest.createFunction(
  {
    id: "erase-account",
    triggers: [{ event: "account/erase" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }],
    onFailure: ({ event, error }) => {
      const { accountId } = event.data.event.data as ServiceEvents["account/erase"];
      log("error", "An account could not be erased; it is tried again within the hour.", { accountId }, error);
    },
  },
  async ({ event, step }) => {
    const { accountId } = event.data as ServiceEvents["account/erase"];
    await step.run("erase-account", () => eraseAccount(accountId));
    await step.sleep("late-writes", UNTIL_LATE_WRITES);
    await step.run("erase-late-writes", () => eraseAccount(accountId));
  },
);
