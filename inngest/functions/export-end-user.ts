import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { failDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";

const CONCURRENCY = 2;
const RETRIES = 5;

/**
 * Makes the file with all that is kept of an end user. One that the queue has twice, because it seemed forgotten, is made once
 * at a time, and the second run finds the request ended.
 */
export const exportEndUserFunction = inngest.createFunction(
  {
    id: "export-end-user",
    triggers: [{ event: "end-user/export" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }, { key: "event.data.dataRequestId", limit: 1 }],
    onFailure: async ({ event, step }) => {
      const { dataRequestId } = event.data.event.data as ServiceEvents["end-user/export"];
      await step.run("fail-data-request", () => failDataRequest(dataRequestId));
    },
  },
  async ({ event, step }) => {
    const { dataRequestId } = event.data as ServiceEvents["end-user/export"];
    await step.run("export-end-user", () => exportEndUser(dataRequestId));
  },
);
