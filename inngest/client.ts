import { Inngest, type InngestFunction } from "inngest";
import { answerHere } from "@/inngest/answer-here";
import { embeddedRunner, embeddedRunnerKeys } from "@/inngest/embedded-keys";
import { sdkLogger } from "@/inngest/sdk-logger";
import { isRealInngestConfigured } from "@/lib/env";

/**
 * The client of whichever engine moves the work. With a real Inngest it reads the `INNGEST_*` settings itself. Import
 * it only once the embedded runner has its address (see start-background.ts).
 */
export const inngest = new Inngest({
  id: "ai-processing-service",
  checkpointing: false,
  logger: sdkLogger,
  ...(isRealInngestConfigured()
    ? {}
    : { isDev: false, baseUrl: embeddedRunner.url ?? "http://127.0.0.1:1", ...embeddedRunnerKeys() }),
});

/** Tells the embedded runner of this process how to call the functions from now on: no connection, the same calls. */
export function callWithoutConnection(functions: readonly InngestFunction.Any[]): void {
  embeddedRunner.answerCall = answerHere(inngest, functions);
}
