import { z } from "zod";
import { chatSession, chatSessionListItem, startChatBody, startChatResponse } from "@/lib/contracts/chat-records";
import { type BodyDefinition, defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { pageOf, pageQuery, sessionFilters } from "@/lib/contracts/lists";
import { dryRunQuery, QUOTE_RESPONSE, START_ERRORS } from "@/lib/contracts/starting";

/** Chat sessions (§2.1, §4.3, contract §3 and §5). */

const SESSION_EXAMPLE = {
  id: "ses_01k8z3v5n6f0mve1q5t9d2x7ab",
  kind: "chat",
  status: "completed",
  lastOutput: "A webhook is an HTTP call that one service makes to another when something happens.",
  outputType: "text",
  tokensUsed: 57,
  tokensIn: 21,
  tokensOut: 36,
  creditsUsed: 1,
  endUserId: "customer-42",
  createdAt: "2026-01-31T09:30:00.000Z",
  lastActivityAt: "2026-01-31T09:30:01.250Z",
} as const;

const MESSAGES_EXAMPLE = [
  { role: "user", content: "What is a webhook?", timestamp: "2026-01-31T09:30:00.000Z" },
  { role: "assistant", content: SESSION_EXAMPLE.lastOutput, timestamp: "2026-01-31T09:30:01.250Z" },
] as const;

/** `endUserId` may stand here as in every other POST, or in the query as in every read (contract §3). */
export const CANCEL_BODY = {
  kind: "json",
  schema: z.strictObject({ endUserId: sessionFilters.endUserId }),
  isOptional: true,
} as const satisfies BodyDefinition;

export const sessionParams = z.object({ sessionId: fields.idParam("session", "The session", "Session identifier.") });

/** What a stream takes and answers, by whatever it is opened. */
export const STREAM = {
  after: fields.fromText(fields.count("Resume after the event of this id.")).optional(),
  requestHeaders: [{ name: "Last-Event-ID", type: "integer", description: "Resume after the event of this id." }],
  response: {
    status: 200,
    description: "The events of the latest turn, or what follows the event that was received.",
    contentType: "text/event-stream",
    example: [
      "event: status",
      `data: {"sessionId":"${SESSION_EXAMPLE.id}","status":"started"}`,
      "",
      "id: 1",
      "event: chunk",
      `data: {"sessionId":"${SESSION_EXAMPLE.id}","delta":"A webhook is"}`,
      "",
      "",
    ].join("\n"),
  },
  otherResponses: [
    { status: 204, description: "The turn's last event was received before; there is nothing to follow." },
  ],
} as const;

export const startChatEndpoint = defineEndpoint({
  method: "POST",
  path: "/chat",
  operationId: "startChat",
  tags: ["Chat"],
  summary: "Send a message; the AI answers in the background.",
  description:
    "Starts a session, or continues the one of `sessionId`. At least one of `message` and `templateId` is required.",
  auth: "key",
  permission: "chat",
  isIdempotent: true,
  query: dryRunQuery,
  body: { kind: "json", schema: startChatBody, example: { message: "What is a webhook?", endUserId: "customer-42" } },
  response: {
    status: 202,
    description: "Accepted. Poll the session, read its stream, or wait for the callback.",
    schema: startChatResponse,
    example: { sessionId: SESSION_EXAMPLE.id, status: "started", callbackUrl: null },
  },
  otherResponses: [QUOTE_RESPONSE],
  errors: START_ERRORS,
});

export const listChatSessionsEndpoint = defineEndpoint({
  method: "GET",
  path: "/chat/sessions",
  operationId: "listChatSessions",
  tags: ["Chat"],
  summary: "List sessions, newest first.",
  auth: "key",
  permission: "chat",
  query: z.object({ ...pageQuery, ...sessionFilters }),
  response: {
    status: 200,
    description: "One page of sessions, without their messages.",
    schema: pageOf("ChatSessionList", chatSessionListItem),
    example: { data: [SESSION_EXAMPLE], pagination: { limit: 20, offset: 0, total: 1, hasMore: false } },
  },
  errors: [],
});

export const getChatSessionEndpoint = defineEndpoint({
  method: "GET",
  path: "/chat/:sessionId",
  operationId: "getChatSession",
  tags: ["Chat"],
  summary: "Read a session with its messages.",
  auth: "key",
  permission: "chat",
  params: sessionParams,
  query: z.object({ endUserId: sessionFilters.endUserId }),
  response: {
    status: 200,
    description: "The session.",
    schema: chatSession,
    example: { ...SESSION_EXAMPLE, messages: MESSAGES_EXAMPLE },
  },
  errors: ["NOT_FOUND"],
});

export const cancelChatSessionEndpoint = defineEndpoint({
  method: "POST",
  path: "/chat/:sessionId/cancel",
  operationId: "cancelChatSession",
  tags: ["Chat"],
  summary: "Stop what is queued or running in a session.",
  description: [
    "Open turns end as canceled: nothing is charged, reserved credits return, streams end with `error` of code",
    "`CANCELED`; no webhook and no callback tells of it. A session with nothing open is left as it is. It can be continued",
    "afterwards.",
  ].join(" "),
  auth: "key",
  permission: "chat",
  params: sessionParams,
  query: z.object({ endUserId: sessionFilters.endUserId }),
  body: CANCEL_BODY,
  response: {
    status: 200,
    description: "The session.",
    schema: chatSession,
    example: { ...SESSION_EXAMPLE, status: "canceled", messages: MESSAGES_EXAMPLE },
  },
  errors: ["NOT_FOUND"],
});

export const streamChatSessionEndpoint = defineEndpoint({
  method: "GET",
  path: "/chat/:sessionId/stream",
  operationId: "streamChatSession",
  tags: ["Chat"],
  summary: "Follow the latest turn as Server-Sent Events.",
  description: [
    "Events: `status` first, then `chunk` (text to append), `reset` (drop what came before in this turn), and one of",
    "`completed` and `error` at the end. A comment comes every 15 seconds of silence. After a break, send the last",
    "event's id as `Last-Event-ID` or `after`: the stream goes on with no gap and no repeat, in the turn of that event even",
    "when newer ones were posted; after a turn's last event, with the next turn. With both, `Last-Event-ID` counts.",
  ].join(" "),
  auth: "key",
  permission: "chat",
  params: sessionParams,
  query: z.object({ endUserId: sessionFilters.endUserId, after: STREAM.after }),
  requestHeaders: STREAM.requestHeaders,
  response: STREAM.response,
  otherResponses: STREAM.otherResponses,
  errors: ["NOT_FOUND"],
});
