import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { failAccountExport } from "@/lib/services/data-rights/account-export-state";
import { exportAccount } from "@/lib/services/data-rights/export-account";

/** One can be long, and holds a connection for as long. One that the queue has twice is made by the first run alone. */
const CONCURRENCY = 1;
const RETRIES = 5;

/** Makes the file with all that an account has. */
export const exportAccountFunction = inngest.createFunction(
  {
    id: "export-account",
    triggers: [{ event: "account/export" }],
    retries: RETRIES,
    concurrency: [{ limit: CONCURRENCY }],
    onFailure: async ({ event, step }) => {
      const { exportId } = event.data.event.data as ServiceEvents["account/export"];
      await step.run("fail-account-export", () => failAccountExport(exportId));
    },
  },
  async ({ event, step }) => {
    const { exportId } = event.data as ServiceEvents["account/export"];
    await step.run("export-account", () => exportAccount(exportId));
  },
);
