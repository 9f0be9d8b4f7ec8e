import { inngest } from "@/inngest/client";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";

/** Every hour: uploads that nobody adopted are removed with their bytes. */
export const sweepUploadsFunction = inngest.createFunction(
  { id: "sweep-uploads", triggers: [{ cron: "17 * * * *" }], retries: 0 },
  ({ step }) => step.run("sweep-uploads", () => sweepUploads()),
);
