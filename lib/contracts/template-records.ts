import { z } from "zod";
import * as fields from "@/lib/contracts/fields";
import {
  descriptionField,
  nameField,
  promptTemplateField,
  tagsField,
  variablesField,
} from "@/lib/contracts/template-fields";

/** What calls about templates send and get (§2.3, §4.5, §4.7, contract §6). */

export const NAME_EXAMPLE = "Invoice summary";
export const PROMPT_EXAMPLE = "Summarise this invoice in {{language}}, in at most {{sentences}} sentences.";
export const VARIABLES_EXAMPLE = { language: "English", sentences: "3" };

/** A template as every endpoint gives it. */
export const template = z
  .object({
    id: z.string().meta({ description: "Template identifier, used as `templateId`." }),
    name: z.string(),
    slug: z.string().meta({ description: "Unique in the project; stays when the name changes." }),
    promptTemplate: z.string(),
    variables: z.record(z.string(), z.string()),
    description: z.string().optional(),
    tags: z.array(z.string()),
    usageCount: fields.count("Accepted calls that used the template."),
    createdAt: fields.timestamp("When it was made."),
    updatedAt: fields.timestamp("When it was last changed."),
    version: z.int().min(1).meta({ description: "Grows with each change of `promptTemplate` or `variables`." }),
    liveVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "What calls use that name no `templateVersion`. Absent: the newest. Chosen in the panel." }),
  })
  .meta({ id: "Template" });

/** What a template said at one time; never changes. */
export const templateVersion = z
  .object({
    version: z.int().min(1),
    promptTemplate: z.string(),
    variables: z.record(z.string(), z.string()),
    createdAt: fields.timestamp("When this version was made."),
  })
  .meta({ id: "TemplateVersion" });

export const createTemplateBody = z.strictObject({
  name: nameField,
  promptTemplate: promptTemplateField,
  variables: variablesField.optional(),
  description: descriptionField.optional(),
  tags: tagsField.optional(),
});

export const uploadTemplateBody = z.strictObject({
  name: nameField.optional().meta({ description: "Defaults to the file's name without its ending." }),
  variables: variablesField.optional(),
});

export const updateTemplateBody = z
  .strictObject({
    name: nameField.optional(),
    promptTemplate: promptTemplateField.optional(),
    variables: variablesField.optional(),
    description: descriptionField.nullable().optional().meta({ description: "Null removes it." }),
    tags: tagsField.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, { path: ["body"], error: "must have at least one field to change" })
  .meta({ minProperties: 1 });

export type Template = z.output<typeof template>;
export type TemplateVersion = z.output<typeof templateVersion>;
export type CreateTemplateBody = z.output<typeof createTemplateBody>;
export type UploadTemplateBody = z.output<typeof uploadTemplateBody>;
export type UpdateTemplateBody = z.output<typeof updateTemplateBody>;
