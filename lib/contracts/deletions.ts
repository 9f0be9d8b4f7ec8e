import { z } from "zod";
import { CANCEL_BODY, sessionParams } from "@/lib/contracts/chat";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import { sessionFilters } from "@/lib/contracts/lists";
import { processParams } from "@/lib/contracts/process";
import type { ErrorCode } from "@/lib/domain/errors";

/** (beyond) What a client has no more use for goes for good (docs/decisions/0050). */

/** What both take and answer. */
const DELETION = {
  query: z.object({ endUserId: sessionFilters.endUserId }),
  body: CANCEL_BODY,
  response: {
    status: 200,
    description: "It is gone: reading it is a 404, and so is deleting it again.",
    schema: z.object({ sessionId: z.string(), deleted: z.literal(true) }).meta({ id: "DeletedSession" }),
    example: { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab", deleted: true },
  },
  errors: ["NOT_FOUND", "NOT_READY"] satisfies ErrorCode[],
} as const;

const DESCRIPTION = [
  "Its messages, files, answers and deliveries go, with their bytes; addresses of its files lead nowhere from then on. What is",
  "queued or running is canceled first and costs nothing; nobody is told of it. What was charged stays in usage, and what an end",
  "user's memory learned stays there. 409 `NOT_READY` while calls keep adding work to it.",
].join(" ");

export const deleteChatSessionEndpoint = defineEndpoint({
  method: "POST",
  path: "/chat/:sessionId/delete",
  operationId: "deleteChatSession",
  tags: ["Chat"],
  summary: "Delete a session for good, of either kind, with all that belongs to it.",
  description: DESCRIPTION,
  auth: "key",
  permission: "chat",
  params: sessionParams,
  ...DELETION,
});

export const deleteProcessEndpoint = defineEndpoint({
  method: "POST",
  path: "/process/:id/delete",
  operationId: "deleteProcess",
  tags: ["Process"],
  summary: "Delete a processing for good, with its file and its output.",
  description: DESCRIPTION,
  auth: "key",
  permission: "process",
  params: processParams,
  ...DELETION,
});
