import { z } from "zod";
import { contextField } from "@/lib/contracts/context-receipt";
import { type BodyDefinition, defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { pageOf, pageQuery, sessionFilters } from "@/lib/contracts/lists";
import { dryRunQuery, QUOTE_RESPONSE, START_ERRORS } from "@/lib/contracts/starting";
import { OUTPUT_TYPES, SESSION_KINDS, SESSION_STATUSES } from "@/lib/domain/session-status";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";

/** Chat sessions (§2.1, §4.3, contract §3 and §5). */

/** Why the last turn of a session failed. */
export const turnError = z
  .object({ code: z.enum(TURN_ERROR_CODES), message: z.string() })
  .meta({ id: "TurnError", description: "Why the last turn failed for good." });

export const chatMessage = z
  .object({
    role: z.enum(["user", "assistant"]),
    content: z.string(),
    timestamp: fields.timestamp("When it was said."),
  })
  .meta({ id: "ChatMessage" });

const sessionFields = {
  id: z.string().meta({ description: "Session identifier.", examples: ["ses_01k8z3v5n6f0mve1q5t9d2x7ab"] }),
  kind: z.enum(SESSION_KINDS),
  status: z.enum(SESSION_STATUSES),
  lastOutput: z.string().nullable().meta({ description: "Last AI answer; null before the first." }),
  outputType: z.enum(OUTPUT_TYPES).optional().meta({ description: "Kind of the last answer." }),
  tokensUsed: fields.count("Tokens of all turns."),
  tokensIn: fields.count("Tokens that the model read."),
  tokensOut: fields.count("Tokens that the model wrote."),
  creditsUsed: fields.count("Credits of all turns."),
  endUserId: z.string().optional().meta({ description: "When the session was created with one." }),
  templateId: z.string().optional(),
  callbackUrl: z.string().optional(),
  error: turnError.optional(),
  createdAt: fields.timestamp("When the session began."),
  lastActivityAt: fields.timestamp("Last call that added a turn, or end of a turn."),
};

/** A session as lists show it: without its messages. */
export const chatSessionListItem = z.object(sessionFields).meta({ id: "ChatSessionListItem" });

/** A session as `GET /chat/:sessionId` shows it (§2.1). */
export const chatSession = z
  .object({
    ...sessionFields,
    messages: z.array(chatMessage).meta({ description: "Oldest first." }),
    context: contextField,
  })
  .meta({ id: "ChatSession" });

export const startChatResponse = z
  .object({
    sessionId: z.string(),
    status: z.enum(["started", "resumed"]),
    callbackUrl: z.string().nullable().meta({ description: "Null when none was given." }),
  })
  .meta({ id: "StartChatResponse" });

export const startChatBody = z
  .strictObject({
    message: fields.instructionField("The user message.").optional(),
    sessionId: fields.idReference("Continues this session.").optional(),
    endUserId: fields.endUserIdField.optional(),
    templateId: fields.idReference("Template to use; `{{message}}` in it takes the message.").optional(),
    templateVars: fields.templateVarsField.optional(),
    templateVersion: fields.templateVersionField.optional(),
    fileContent: fields.fileContentField.optional(),
    callbackUrl: fields.callbackUrlField.optional(),
    maxCredits: fields.maxCreditsField.optional(),
  })
  .refine((body) => body.message !== undefined || body.templateId !== undefined, {
    path: ["message"],
    error: "is required when there is no templateId",
  });

export type ChatSession = z.output<typeof chatSession>;
export type ChatSessionListItem = z.output<typeof chatSessionListItem>;
export type StartChatBody = z.output<typeof startChatBody>;
export type StartChatResponse = z.output<typeof startChatResponse>;

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

const sessionParams = z.object({ sessionId: fields.idParam("session", "The session", "Session identifier.") });

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
    schema: pageOf(chatSessionListItem),
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
    "`CANCELED`. A session with nothing open is left as it is. It can be continued afterwards.",
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
    "event's id as `Last-Event-ID` or `after`: the stream goes on with no gap and no repeat. With both, `Last-Event-ID`",
    "counts.",
  ].join(" "),
  auth: "key",
  permission: "chat",
  params: sessionParams,
  query: z.object({
    endUserId: sessionFilters.endUserId,
    after: fields.fromText(fields.count("Resume after the event of this id.")).optional(),
  }),
  requestHeaders: [{ name: "Last-Event-ID", type: "integer", description: "Resume after the event of this id." }],
  response: {
    status: 200,
    description: "The events of the latest turn.",
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
  errors: ["NOT_FOUND"],
});
