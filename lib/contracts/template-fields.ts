import { z } from "zod";
import { stringMap } from "@/lib/contracts/string-map";
import * as limits from "@/lib/domain/template-limits";
import { isPlaceholderName } from "@/lib/domain/template-render";
import { isVisible } from "@/lib/domain/visible-text";

/** What a client sends of a template, each field with its rule and its words (contract §6). */

export const nameField = z
  .string()
  .min(1)
  .max(limits.MAX_TEMPLATE_NAME_CHARACTERS)
  .refine((name) => name === "" || isVisible(name), "must not be blank")
  .meta({ description: "Display name, not blank; the slug follows it at creation.", pattern: "\\S" });

export const promptTemplateField = z
  .string()
  .min(1)
  .max(limits.MAX_PROMPT_TEMPLATE_CHARACTERS)
  .superRefine((text, context) => {
    const fault = limits.findPlaceholderFault(text);
    if (fault) context.addIssue({ code: "custom", message: fault });
  })
  .meta({
    description: "Prompt text with placeholders such as `{{variableName}}`; spaces inside the braces are allowed.",
  });

export const variablesField = stringMap(
  {
    maxEntries: limits.MAX_TEMPLATE_VARIABLES,
    maxNameCharacters: limits.MAX_VARIABLE_NAME_CHARACTERS,
    maxCharacters: limits.MAX_TEMPLATE_VARIABLES_CHARACTERS,
    checkName: (name) =>
      isPlaceholderName(name) ? undefined : "has a name that is not allowed; use letters, digits, -, . and _",
  },
  {
    description: `Variable name to text: a description, or the default for calls that do not pass the variable. Names are of letters, digits, \`-\`, \`.\` and \`_\`; all together have at most ${limits.MAX_TEMPLATE_VARIABLES_CHARACTERS.toLocaleString("en")} characters.`,
    examples: [{ language: "English", sentences: "3" }],
  },
);

export const descriptionField = z.string().max(limits.MAX_TEMPLATE_DESCRIPTION_CHARACTERS);

export const tagField = z.string().min(1).max(limits.MAX_TEMPLATE_TAG_CHARACTERS);

export const tagsField = z
  .array(tagField)
  .max(limits.MAX_TEMPLATE_TAGS)
  .transform((tags) => [...new Set(tags)])
  .meta({ description: "May hold version labels. One that is there twice is kept once." });
