import { createHmac } from "node:crypto";
import type { AnswerHere } from "@/inngest/answer-here";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/**
 * The embedded runner of this process. Whoever starts it sets its address before the client is made; the job endpoint
 * adds itself once it is loaded, and is called without a connection from then on.
 */
export const embeddedRunner = processSingleton<{
  url: string | null;
  answerCall?: AnswerHere;
}>("embedded-runner", () => ({ url: null }));

/** Keys between this service and its embedded runner, the same in every process of one installation. */
export function embeddedRunnerKeys(): { signingKey: string; eventKey: string } {
  const secret = env().ENCRYPTION_KEY ?? "";
  const derive = (use: string) => createHmac("sha256", secret).update(`embedded-runner:${use}`).digest("hex");
  return { signingKey: `signkey-prod-${derive("signing")}`, eventKey: derive("event").slice(0, 32) };
}
