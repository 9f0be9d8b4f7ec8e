import { z } from "zod";
import { CANCEL_BODY, sessionParams } from "@/lib/contracts/chat";
import { startChatResponse } from "@/lib/contracts/chat-records";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import { sessionFilters } from "@/lib/contracts/lists";
import { processParams } from "@/lib/contracts/process";
import { noDryRun, noMaxCredits, START_ERRORS } from "@/lib/contracts/starting";

/** (beyond) What got no answer is asked once more, without being sent again (docs/decisions/0048). */

/** What both take and answer. */
const RETRY = {
  query: z.object({
    endUserId: sessionFilters.endUserId,
    dryRun: noDryRun("a call that is tried again", "What the same call would cost says the endpoint that began it"),
    maxCredits: noMaxCredits("what is tried again may cost as much as when it was asked first"),
  }),
  body: CANCEL_BODY,
  response: {
    status: 202,
    description:
      "Accepted. Poll the session, read its stream, or wait for the callback of the call that is tried again.",
    schema: startChatResponse,
    example: { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab", status: "resumed", callbackUrl: null },
  },
  // Its template was rendered when it was asked first.
  errors: [...START_ERRORS.filter((code) => code !== "TEMPLATE_VARIABLE_MISSING"), "NOT_READY"],
} as const;

const DESCRIPTION = [
  "Asks once more what the last call of the session asked, where that failed or was canceled: the same words, files, template,",
  "`outputSchema`, `maxCredits`, `callbackUrl` and `reference`, with the project's settings of now. It takes that call's place in the",
  "conversation. 409 `NOT_READY` when the last call is under way (`retryable: true`) or was answered, or its file is kept no longer",
  "(`retryable: false`).",
].join(" ");

export const retryChatSessionEndpoint = defineEndpoint({
  method: "POST",
  path: "/chat/:sessionId/retry",
  operationId: "retryChatSession",
  tags: ["Chat"],
  summary: "Try the last call of a session again, when it failed or was canceled.",
  description: DESCRIPTION,
  auth: "key",
  permission: "chat",
  isIdempotent: true,
  params: sessionParams,
  ...RETRY,
});

export const retryProcessEndpoint = defineEndpoint({
  method: "POST",
  path: "/process/:id/retry",
  operationId: "retryProcess",
  tags: ["Process"],
  summary: "Try a processing again, when it failed or was canceled.",
  description: DESCRIPTION,
  auth: "key",
  permission: "process",
  isIdempotent: true,
  params: processParams,
  ...RETRY,
});
