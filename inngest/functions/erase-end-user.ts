import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { log } from "@/lib/log";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";

const CONCURRENCY = 2;
/** For some hours. A store that is away for longer must not leave for good what was to be erased: the sweep begins it anew. */
const RETRIES = 10;
/** Longer than calls are kept back before they are logged, and than a model is asked for a profile. */
const UNTIL_LATE_WRITES = "2m";

/**
 * Erases an end user, and once more what was on its way while that was done; who comes anew meanwhile is left alone. A
 * request that the queue has twice, because it seemed forgotten, is worked on once at a time: the second run erases what the
 * first left, counts that alone, and has nothing to do once the request has ended. Side by side, one could go on after the
 * other had told the end.
 */
export const eraseEndUserFunction = inngest.createFunction(
  {
    id: "erase-end-user",
    triggers: [{ event: "end-user/erase" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.dataRequestId", limit: 1 }],
    onFailure: ({ event, error }) => {
      const { dataRequestId } = event.data.event.data as ServiceEvents["end-user/erase"];
      log("error", "An end user could not be erased; it is tried again within the hour.", { dataRequestId }, error);
    },
  },
  async ({ event, step }) => {
    const { dataRequestId } = event.data as ServiceEvents["end-user/erase"];
    await step.run("erase-end-user", () => eraseEndUser(dataRequestId));
    await step.sleep("late-writes", UNTIL_LATE_WRITES);
    await step.run("finish-erasure", () => finishErasure(dataRequestId));
  },
);
