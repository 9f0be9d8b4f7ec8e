import { z } from "zod";
import { attemptField, plainText } from "@/lib/contracts/edit-base";
import { versionField } from "@/lib/contracts/fields";
import { nameField } from "@/lib/contracts/template-fields";
import { messageText, passedValues, templateId, triedTemplate } from "@/lib/contracts/template-forms";
import { isId } from "@/lib/domain/ids";
import { MAX_TEMPLATE_VARIABLES_CHARACTERS } from "@/lib/domain/template-limits";

/** Examples of a template: what it is tried with, kept for everybody who changes it. The panel alone knows them. */

const exampleId = z.string().refine((text) => isId("templateExample", text), "is not the id of an example");

const exampleDraft = z.strictObject({
  name: plainText(z.string().trim().pipe(nameField)),
  /** Bounded as a template's defaults are: what is tried once goes by, what is kept is read with each look at the page. */
  values: passedValues.refine(
    (values) => charactersOf(values) <= MAX_TEMPLATE_VARIABLES_CHARACTERS,
    `must have at most ${MAX_TEMPLATE_VARIABLES_CHARACTERS.toLocaleString("en")} characters in all`,
  ),
  /** An empty one is none. */
  message: messageText,
});

export const keepExampleInput = z.strictObject({ templateId, draft: exampleDraft, attempt: attemptField });

export const saveExampleInput = z.strictObject({
  templateId,
  exampleId,
  /** When what the reader began with was saved: over anything newer nothing is. */
  base: z.iso.datetime(),
  draft: exampleDraft,
});

export const exampleIdInput = z.strictObject({ templateId, exampleId });

/** All examples of a template with what stands in the editor, and with one of its versions if there is one to compare with. */
export const quoteExamplesInput = z.strictObject({
  templateId,
  ...triedTemplate,
  version: versionField.optional(),
});

export type ExampleDraft = z.output<typeof exampleDraft>;
export type KeepExampleInput = z.output<typeof keepExampleInput>;
export type SaveExampleInput = z.output<typeof saveExampleInput>;
export type ExampleIdInput = z.output<typeof exampleIdInput>;
export type QuoteExamplesInput = z.output<typeof quoteExamplesInput>;

/** An example as it is kept. */
export interface TemplateExample extends ExampleDraft {
  id: string;
  updatedAt: string;
}

/** The words of a template, whether they are kept or not. */
export interface TriedTemplate {
  promptTemplate: string;
  variables: Record<string, string>;
}

/** What trying all examples would come to, and what is tried. */
export interface ExamplesQuote {
  examples: TemplateExample[];
  /** Null: nothing is compared. */
  compared: (TriedTemplate & { version: number }) | null;
  /** How many are started: an example that lacks a value starts none. */
  sessions: number;
  credits: { min: number; max: number };
  /** What the account has left. */
  creditsFree: number;
}

function charactersOf(values: Record<string, string>): number {
  return Object.entries(values).reduce((sum, [name, text]) => sum + name.length + text.length, 0);
}
