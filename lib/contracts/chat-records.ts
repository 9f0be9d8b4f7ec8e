import { z } from "zod";
import { contextField } from "@/lib/contracts/context-receipt";
import * as fields from "@/lib/contracts/fields";
import { needsOneOf } from "@/lib/contracts/needs-one-of";
import { OUTPUT_TYPES, SESSION_KINDS, SESSION_STATUSES } from "@/lib/domain/session-status";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";

/** What calls about sessions send and get (§2.1, §4.3, contract §3 and §5). */

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

/** Of a session in its record (contract §3). */
export const sessionStatus = z.enum(SESSION_STATUSES).meta({
  description: [
    "`started` and `resumed`: work is queued or running. `completed`: the last call's answer is there. `failed`: it failed",
    "for good, `error` says why. `canceled`: it was stopped; no webhook and no callback tells of that. `expired`: two hours",
    "without activity, however the last call ended; answers stay readable. A further call resumes a session of any status.",
  ].join(" "),
});

const sessionFields = {
  id: z.string().meta({ description: "Session identifier.", examples: ["ses_01k8z3v5n6f0mve1q5t9d2x7ab"] }),
  kind: z.enum(SESSION_KINDS),
  status: sessionStatus,
  lastOutput: z.string().nullable().meta({ description: "Last AI answer; null before the first." }),
  outputType: z.enum(OUTPUT_TYPES).optional().meta({ description: "Kind of the last answer." }),
  tokensUsed: fields.count("Tokens of all turns."),
  tokensIn: fields.count("Tokens that the model read."),
  tokensOut: fields.count("Tokens that the model wrote."),
  creditsUsed: fields.count("Credits of all turns."),
  endUserId: z.string().optional().meta({ description: "When the session was created with one." }),
  templateId: z.string().optional(),
  callbackUrl: z.string().optional(),
  reference: fields.referenceShown,
  error: turnError.optional(),
  createdAt: fields.timestamp("When the session began."),
  lastActivityAt: fields.timestamp("Last call that added a turn, or end of a turn."),
  context: contextField,
};

/** A session as lists show it: without its messages. */
export const chatSessionListItem = z.object(sessionFields).meta({ id: "ChatSessionListItem" });

/** A session as `GET /chat/:sessionId` shows it (§2.1). */
export const chatSession = z
  .object({
    ...sessionFields,
    messages: z.array(chatMessage).meta({ description: "Oldest first; of more than 16 MB the newest." }),
    messagesLeftOut: fields.count("How many older messages there are; absent when all are here.").optional(),
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
    reference: fields.referenceField.optional(),
    maxCredits: fields.maxCreditsField.optional(),
    outputSchema: fields.outputSchemaField.optional(),
  })
  .refine((body) => body.message !== undefined || body.templateId !== undefined, {
    path: ["message"],
    error: "is required when there is no templateId",
  })
  .meta(needsOneOf(["message", "templateId"]));

export type ChatSession = z.output<typeof chatSession>;
export type ChatSessionListItem = z.output<typeof chatSessionListItem>;
export type StartChatBody = z.output<typeof startChatBody>;
export type StartChatResponse = z.output<typeof startChatResponse>;
