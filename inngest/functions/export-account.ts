import { inngest } from "@/inngest/client";
import type { ServiceEvents } from "@/inngest/events";
import { failAccountExport, isErasureUnderWay } from "@/lib/services/data-rights/account-export-state";
import { exportAccount } from "@/lib/services/data-rights/export-account";

/** One can be long, and holds a connection for as long. One that the queue has twice is made by the first run alone. */
const CONCURRENCY = 1;
const RETRIES = 5;
/** Together longer than the erasure of an end user takes, and no longer than anybody should wait where one cannot be done. */
const MOST_LOOKS = 30;
const BETWEEN_LOOKS = "10s";

/** Makes the file with all that an account has, after the erasures of its end users that are under way. */
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
    for (let look = 1; look <= MOST_LOOKS; look += 1) {
      if (!(await step.run(`look-for-erasures-${look}`, () => isErasureUnderWay(exportId)))) break;
      await step.sleep(`until-erased-${look}`, BETWEEN_LOOKS);
    }
    await step.run("export-account", () => exportAccount(exportId));
  },
);
