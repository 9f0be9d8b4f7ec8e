import { z } from "zod";
import { startChatResponse } from "@/lib/contracts/chat-records";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { needsOneOf } from "@/lib/contracts/needs-one-of";
import { PROCESS_FILE_DESCRIPTION } from "@/lib/contracts/process";
import { startProcessResponse } from "@/lib/contracts/process-records";
import { dryRunQuery, QUOTE_RESPONSE, START_ERRORS } from "@/lib/contracts/starting";
import { MAX_FILE_BYTES } from "@/lib/domain/limits";

/** Hybrid send (§4.4, contract §5): with a file as /process, without one as /chat. */

export const sendBody = z
  .strictObject({
    prompt: fields
      .instructionField("Instruction or message; with a template `{{prompt}}` or `{{message}}`.")
      .optional(),
    message: fields.instructionField("The same as `prompt`.").optional(),
    sessionId: fields.idReference("Continues this session, of either kind.").optional(),
    endUserId: fields.endUserIdField.optional(),
    templateId: fields.idReference("Template to use.").optional(),
    templateVars: fields.templateVarsField.optional(),
    templateVersion: fields.fromText(fields.templateVersionField).optional(),
    callbackUrl: fields.callbackUrlField.optional(),
    reference: fields.referenceField.optional(),
    maxCredits: fields.fromText(fields.maxCreditsField).optional(),
    outputSchema: fields.outputSchemaField.optional(),
  })
  .refine(({ prompt, message, templateId }) => (prompt ?? message ?? templateId) !== undefined, {
    path: ["prompt"],
    error: "is required when there is no templateId",
  })
  .refine(({ prompt, message }) => prompt === undefined || message === undefined || prompt === message, {
    path: ["message"],
    error: "must be the same as prompt, or left out",
  })
  .meta(needsOneOf(["prompt", "message", "templateId"]));

export const sendResponse = z
  .union([startProcessResponse, startChatResponse])
  .meta({ id: "SendResponse", description: "With a file as of POST /process, without one as of POST /chat." });

export type SendBody = z.output<typeof sendBody>;
export type SendResponse = z.output<typeof sendResponse>;

export const sendEndpoint = defineEndpoint({
  method: "POST",
  path: "/b2b/send",
  operationId: "send",
  tags: ["Hybrid send"],
  summary: "Send a file, a message or both, to a new session or an existing one.",
  description: [
    "With `file` it behaves as POST /process, without one as POST /chat. `sessionId` continues a session of either kind;",
    "a file sent to it becomes part of its conversation. One of `prompt`, `message` and `templateId` is required.",
  ].join(" "),
  auth: "key",
  permission: "b2bSend",
  isIdempotent: true,
  query: dryRunQuery,
  body: {
    kind: "json-or-multipart",
    schema: sendBody,
    jsonFields: ["templateVars", "outputSchema"],
    file: {
      field: "file",
      maxFiles: 1,
      maxFileBytes: MAX_FILE_BYTES,
      isRequired: false,
      description: PROCESS_FILE_DESCRIPTION,
    },
    example: { prompt: "And what does it say about costs?", sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" },
  },
  response: {
    status: 202,
    description: "Accepted. Poll the session, read its stream, or wait for the callback.",
    schema: sendResponse,
    example: { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab", status: "resumed", callbackUrl: null },
  },
  otherResponses: [QUOTE_RESPONSE],
  errors: START_ERRORS,
});
