import { findPlaceholders, mergeValues, type RenderedTemplate, renderTemplate } from "@/lib/domain/template-render";

export type InputName = "message" | "prompt";

/** What a call gives to a template. */
export interface TemplateInput {
  /** The `message` or `prompt`. */
  input?: string;
  /** Names of the template's built-in variable: as the endpoint names the text. */
  inputNames: readonly InputName[];
  /** Whether a text that the template does not place follows it, rather than being replaced by it. */
  isInputKept: boolean;
  templateVars?: Record<string, string>;
}

const MAX_RENDERED_CHARACTERS = 1_000_000;

/**
 * What a call with a template says (§4.7, contract §4 and §5): its placeholders filled from `templateVars`, else from its
 * defaults. A message that the template does not place follows it; the prompt of a file is replaced by the template.
 */
export function renderTemplateCall(
  template: { promptTemplate: string; variables: Record<string, string> },
  { input, inputNames, isInputKept, templateVars }: TemplateInput,
): RenderedTemplate {
  const builtIn = input === undefined ? {} : Object.fromEntries(inputNames.map((name) => [name, input]));
  const values = mergeValues(template.variables, templateVars, builtIn);
  const rendered = renderTemplate(template.promptTemplate, values, MAX_RENDERED_CHARACTERS);
  if (rendered.isTooLong || !isInputKept || input === undefined) return rendered;
  const placed = findPlaceholders(template.promptTemplate);
  const isPlaced = inputNames.some((name) => placed.includes(name));
  return isPlaced ? rendered : { ...rendered, text: `${rendered.text}\n\n${input}` };
}
