import type { TemplateDraft } from "@/lib/contracts/template-forms";
import type { Template } from "@/lib/contracts/template-records";

/** What the editor holds: tags as they are typed. */
export interface EditedTemplate extends Omit<TemplateDraft, "tags"> {
  tags: string;
  /** What the editor began with: one that the API took may hold a comma itself. */
  keptTags: readonly string[];
}

export const NEW_TEMPLATE: EditedTemplate = {
  name: "",
  promptTemplate: "",
  variables: {},
  description: "",
  tags: "",
  keptTags: [],
};

export function editTemplate(template: Template): EditedTemplate {
  const { name, promptTemplate, variables, description = "", tags } = template;
  return { name, promptTemplate, variables, description, tags: tags.join(TAG_SEPARATOR), keptTags: tags };
}

const TAG_SEPARATOR = ", ";

/** As it is saved. Tags that nobody touched are those that were there. */
export function draftOf({ tags, keptTags, ...edited }: EditedTemplate): TemplateDraft {
  const isUntouched = tags === keptTags.join(TAG_SEPARATOR);
  const list = (isUntouched ? keptTags : tags.split(",")).map((tag) => tag.trim());
  return { ...edited, tags: [...new Set(list.filter((tag) => tag !== ""))] };
}

/** A text by the name of its variable, which may be called as what every object has: `constructor`. */
export function ownText(texts: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** As texts by their title, for comparing two of them. */
export function templateParts(edited: EditedTemplate): Record<string, string> {
  const { name, promptTemplate, variables, description, tags } = edited;
  return { Name: name, Text: promptTemplate, Defaults: variablesText(variables), Description: description, Tags: tags };
}

/** Defaults, a line each, by name. */
export function variablesText(variables: Record<string, string>): string {
  return Object.entries(variables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");
}
