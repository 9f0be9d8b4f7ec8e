import { findPlaceholders } from "@/lib/domain/template-render";

/** Sizes of templates. Those of name, prompt and file are the contract's (§6). */
export const MAX_TEMPLATE_NAME_CHARACTERS = 200;
export const MAX_PROMPT_TEMPLATE_CHARACTERS = 100_000;
export const MAX_TEMPLATE_FILE_BYTES = 1024 * 1024;
export const MAX_TEMPLATE_DESCRIPTION_CHARACTERS = 10_000;
export const MAX_TEMPLATE_TAGS = 50;
export const MAX_TEMPLATE_TAG_CHARACTERS = 100;

/** Of `variables` and of `templateVars`. */
export const MAX_TEMPLATE_VARIABLES = 1_000;
export const MAX_VARIABLE_NAME_CHARACTERS = 200;
/** Of a project. */
export const MAX_TEMPLATES = 2_000;
/** Of a template. */
export const MAX_TEMPLATE_EXAMPLES = 20;
/** Of a template's versions together, variables as they are stored; beyond it the oldest go. Longest ones of 1 MB leave ten. */
export const MAX_TEMPLATE_VERSIONS_BYTES = 10 * 1024 * 1024;
/** Names and values of a template together: a page of 100 templates has to fit in memory many times over. */
export const MAX_TEMPLATE_VARIABLES_CHARACTERS = 200_000;

/** Whether a text has more characters than that, counted as the fields of a call are: one for a whole emoji of one code point. */
export function isLongerThan(text: string, characters: number): boolean {
  // A character has two units at most: only what could be too long has to be counted.
  return text.length > characters && [...text].length > characters;
}

/**
 * Why a prompt template could never be filled: more placeholders, or longer names, than a call can pass values for.
 * @returns words that follow the field's name, or null when all is well
 */
export function findPlaceholderFault(promptTemplate: string): string | null {
  const names = findPlaceholders(promptTemplate);
  if (names.length > MAX_TEMPLATE_VARIABLES) {
    return `must have at most ${MAX_TEMPLATE_VARIABLES} different placeholders`;
  }
  if (names.some((name) => name.length > MAX_VARIABLE_NAME_CHARACTERS)) {
    return `must have placeholders of at most ${MAX_VARIABLE_NAME_CHARACTERS} characters`;
  }
  return null;
}
