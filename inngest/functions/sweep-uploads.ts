import { inngest } from "@/inngest/client";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";

/** Every quarter of an hour: uploads that nobody adopted are removed with their bytes. */
export const sweepUploadsFunction = inngest.createFunction(
  { id: "sweep-uploads", triggers: [{ cron: "2,17,32,47 * * * *" }], retries: 0 },
  ({ step }) => step.run("sweep-uploads", () => sweepUploads()),
);
