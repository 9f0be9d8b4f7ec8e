import { z } from "zod";
import * as fields from "@/lib/contracts/fields";
import { OUTPUT_CUTS } from "@/lib/domain/session-status";

/** (beyond) Absent of an answer that is whole. */
export const outputCutField = z.enum(OUTPUT_CUTS).optional().meta({
  description:
    "Only when the answer ends before it is done: `credits`, the account's credits paid for no more; `length`, the model gives no longer ones; `filter`, the provider's content filter cut it.",
});

/** (beyond) What the AI saw of a turn. Counts of tokens are estimates; the provider's own stand in `tokensIn`. */

const knowledgeFileReceipt = z
  .object({
    path: z.string().meta({ description: "Name below `.brain/api/db/`.", examples: ["products/prices.md"] }),
    version: fields.count("Version of the file."),
    sha256: z.string().meta({ description: "Of the file's whole content, in hexadecimal digits." }),
    included: z.enum(["whole", "sections", "none"]).meta({ description: "How much of it fitted." }),
    tokens: fields.count("Estimated tokens given to the model."),
    sections: z.array(z.string()).optional().meta({ description: "Headings of the sections that were chosen." }),
  })
  .meta({ id: "KnowledgeFileReceipt" });

const fileReceipt = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    kind: z.string().meta({ description: "What the file is, by its content." }),
    tokens: fields.count("Estimated tokens given to the model.").optional(),
    picturePages: fields.count("Pages without text that were shown to the model as pictures.").optional(),
    picturePageNumbers: z
      .string()
      .optional()
      .meta({ description: "Which pages these are.", examples: ["3, 5-7"] }),
    pictures: fields.count("Pictures of a document with little else that were shown to the model.").optional(),
    pieces: fields.count("How many pictures a long one was cut into.").optional(),
    breaksOff: z
      .object({ seconds: fields.count("About so many seconds are missing, where the file says it.").optional() })
      .optional()
      .meta({ description: "When a recording ends before it is done, as one whose copying broke off." }),
  })
  .meta({ id: "FileReceipt", description: "A file of this turn and the figures of what was read of it." });

export const contextReceipt = z
  .object({
    model: z.string().optional().meta({ description: "As the provider names it." }),
    outputCut: outputCutField,
    isTokenCountEstimated: z.boolean().optional().meta({ description: "The provider gave no counts of its own." }),
    template: z.object({ id: z.string(), version: fields.count("Version that was rendered.") }).optional(),
    knowledge: z
      .object({
        budgetTokens: fields.count("What knowledge could take of this call."),
        tokens: fields.count(
          "What was set aside for it, file by file and with room to spare; `tokens.knowledge` is the estimate of what went along.",
        ),
        files: z.array(knowledgeFileReceipt),
      })
      .optional()
      .meta({ description: "When the project has knowledge files." }),
    memory: z
      .object({ version: fields.count("Version of the profile."), tokens: fields.count("Estimated tokens.") })
      .optional()
      .meta({ description: "When a profile of the end user went along." }),
    files: z.array(fileReceipt),
    transcription: z
      .object({
        seconds: fields.count("Seconds of sound."),
        credits: fields.count("What it costs, beside the tokens."),
      })
      .optional()
      .meta({ description: "When this turn had sound transcribed, or pays for it." }),
    parts: z
      .object({
        count: fields.count("Parts that the text was read in."),
        joins: fields.count("Calls that brought results together before the answer's own."),
        tokensIn: fields.count(
          "Of the calls before the answer's own, as the provider counts; `tokensIn` holds them too.",
        ),
        tokensOut: fields.count("Likewise."),
        ranges: z.array(z.string()).meta({
          description: "What each part covers.",
          examples: [["pages 1-143 of 2,000", "pages 144-287 of 2,000"]],
        }),
      })
      .optional()
      .meta({ description: "When the files were more than the model takes at once and were read in parts." }),
    history: z.object({
      messages: fields.count("Earlier messages that went along."),
      leftOut: fields.count("Earlier messages that did not fit."),
    }),
    tokens: z
      .object({
        system: fields.count("House rules and the project's instructions."),
        knowledge: fields.count("Knowledge files."),
        memory: fields.count("Memory profile."),
        history: fields.count("Earlier messages."),
        files: fields.count("Files of this turn."),
        input: fields.count("The input, with its inline text."),
        total: fields.count("All of it."),
      })
      .meta({ description: "Estimated tokens by part." }),
  })
  .meta({ id: "ContextReceipt", description: "What the AI saw of the latest turn, once it has ended." });

export type ContextReceipt = z.output<typeof contextReceipt>;

export const contextField = contextReceipt.optional();
