import { z } from "zod";
import { sessionStatus, turnError } from "@/lib/contracts/chat-records";
import { contextField } from "@/lib/contracts/context-receipt";
import * as fields from "@/lib/contracts/fields";
import { needsOneOf } from "@/lib/contracts/needs-one-of";
import { OUTPUT_TYPES } from "@/lib/domain/session-status";

/** What calls about processings send and get (§2.2, §4.2, contract §4). */

/** What work cost. */
export const cost = z
  .object({ credits: fields.total("Credits."), amount: z.number().min(0), currency: z.string() })
  .meta({ id: "Cost", description: "The credits, and their price." });

const recordFields = {
  sessionId: z.string(),
  status: sessionStatus,
  fileUrl: z.string().meta({ description: "Address of the stored uploaded file.", format: "uri" }),
  fileName: z.string(),
  fileSize: fields.count("Bytes."),
  contentType: z.string().meta({ description: "Of the uploaded file." }),
  prompt: z.string().nullable().meta({ description: "The instruction; null when a template was used without one." }),
  templateId: z.string().optional(),
  endUserId: z.string().optional(),
  callbackUrl: z.string().nullable().meta({ description: "Null when none was given." }),
  reference: fields.referenceShown,
  outputType: z.enum(OUTPUT_TYPES).optional().meta({ description: "Of the output, when that is there." }),
  downloadUrl: z.string().optional().meta({ description: "Of a binary output.", format: "uri" }),
  tokensIn: fields.count("Tokens that the model read."),
  tokensOut: fields.count("Tokens that the model wrote."),
  tokensUsed: fields.count("Both together."),
  creditsUsed: fields.count("Credits."),
  cost,
  error: turnError.optional(),
  createdAt: fields.timestamp("When it began."),
  completedAt: fields.timestamp("When it completed.").optional(),
  context: contextField,
};

/** A processing as lists show it: without its output. */
export const processListItem = z.object(recordFields).meta({ id: "ProcessListItem" });

/** A processing as `GET /process/:id` shows it. */
export const processRecord = z
  .object({
    ...recordFields,
    output: z
      .string()
      .optional()
      .meta({
        description: [
          "The latest answer, when completed; of a binary output a one-line description. Not there while a further question",
          "is answered; one that fails or is canceled leaves it.",
        ].join(" "),
      }),
  })
  .meta({ id: "ProcessRecord" });

export const startProcessResponse = z
  .object({
    sessionId: z.string(),
    status: z.enum(["started", "resumed"]),
    fileUrl: z.string().meta({ description: "Address of the stored uploaded file.", format: "uri" }),
  })
  .meta({ id: "StartProcessResponse" });

/** What the document says of the rule below. */
const INSTRUCTIONS = needsOneOf(["prompt", "templateId"]);

export const startProcessBody = z
  .strictObject({
    prompt: fields.instructionField("Instruction for the AI; with a template it is `{{prompt}}`.").optional(),
    templateId: fields.idReference("Template to use instead of the prompt.").optional(),
    templateVars: fields.templateVarsField.optional(),
    templateVersion: fields.fromText(fields.templateVersionField).optional(),
    endUserId: fields.endUserIdField.optional(),
    callbackUrl: fields.callbackUrlField.optional(),
    reference: fields.referenceField.optional(),
    maxCredits: fields.fromText(fields.maxCreditsField).optional(),
    outputSchema: fields.outputSchemaField.optional(),
  })
  .refine((body) => body.prompt !== undefined || body.templateId !== undefined, {
    path: ["prompt"],
    error: "is required when there is no templateId",
  })
  .meta(INSTRUCTIONS);

/** (beyond) The same, with a file that was uploaded before. */
export const processBody = startProcessBody
  .safeExtend({ uploadId: fields.uploadIdField.optional() })
  .meta(INSTRUCTIONS);

export type ProcessRecord = z.output<typeof processRecord>;
export type ProcessListItem = z.output<typeof processListItem>;
export type StartProcessBody = z.output<typeof startProcessBody>;
export type ProcessBody = z.output<typeof processBody>;
export type StartProcessResponse = z.output<typeof startProcessResponse>;
