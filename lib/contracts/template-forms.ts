import { z } from "zod";
import { attemptField, editBase, plainText } from "@/lib/contracts/edit-base";
import { templateVarsField, versionField } from "@/lib/contracts/fields";
import {
  descriptionField,
  nameField,
  promptTemplateField,
  tagField,
  tagsField,
  variablesField,
} from "@/lib/contracts/template-fields";
import { isId } from "@/lib/domain/ids";
import { MAX_MESSAGE_CHARACTERS } from "@/lib/domain/limits";
import { MAX_TEMPLATE_FILE_BYTES, MAX_TEMPLATE_TAGS } from "@/lib/domain/template-limits";

/** Templates as the panel makes, changes and tries them (§2.3, contract §6). */

const MAX_FILE_NAME_CHARACTERS = 255;

export const templateId = z.string().refine((text) => isId("template", text), "is not the id of a template");

const plainMap = <S extends z.ZodType<Record<string, string>>>(field: S) =>
  field.refine((values) => isPlain(values), "must be plain text");

export const templateDraft = z.strictObject({
  name: plainText(z.string().trim().pipe(nameField)),
  promptTemplate: plainText(promptTemplateField),
  variables: plainMap(variablesField),
  /** An empty one is none. */
  description: plainText(z.string().trim().pipe(descriptionField)),
  tags: z
    .array(plainText(z.string().trim().pipe(tagField)))
    .max(MAX_TEMPLATE_TAGS)
    .pipe(tagsField),
});

export const saveTemplateInput = z.strictObject({ templateId, base: editBase, draft: templateDraft });

export const templateIdInput = z.strictObject({ templateId });

/** With the newest version that the reader saw, so that nobody else's later one is taken back unseen. */
export const restoreTemplateInput = z.strictObject({ templateId, version: versionField, began: versionField });

/** Null: calls use the newest. */
/** With the version that calls used as the reader saw it, null: the newest, so that no other choice is undone unseen. */
export const releaseTemplateInput = z.strictObject({
  templateId,
  version: versionField.nullable(),
  began: versionField.nullable(),
});

export const uploadTemplateInput = z.strictObject({
  fileName: plainText(z.string().min(1).max(MAX_FILE_NAME_CHARACTERS)),
  bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= MAX_TEMPLATE_FILE_BYTES, "must have at most 1 MB"),
  attempt: attemptField,
});

/** What stands in the editor, saved or not. */
export const triedTemplate = { promptTemplate: plainText(promptTemplateField), variables: plainMap(variablesField) };
/** Of variables, as a call would pass them. */
export const passedValues = plainMap(templateVarsField);
/** What a call would send beside the template; an empty one is none. */
export const messageText = plainText(z.string().max(MAX_MESSAGE_CHARACTERS));

/** A turn with that. */
export const testTemplateInput = z.strictObject({
  ...triedTemplate,
  values: passedValues,
  message: messageText,
  attempt: attemptField,
});

export type TemplateDraft = z.output<typeof templateDraft>;
export type SaveTemplateInput = z.output<typeof saveTemplateInput>;
export type UploadTemplateInput = z.output<typeof uploadTemplateInput>;
export type TestTemplateInput = z.output<typeof testTemplateInput>;

function isPlain(values: Record<string, string>): boolean {
  return Object.entries(values)
    .flat()
    .every((text) => text.isWellFormed() && !text.includes("\u0000"));
}
