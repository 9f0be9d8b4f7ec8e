import { db } from "@/lib/db/pool";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { findPlaceholders, mergeValues, renderTemplate } from "@/lib/domain/template-render";

export type InputName = "message" | "prompt";

/** What a call says: text of its own, a template, or both. */
export interface CallText {
  /** The `message` or `prompt`. */
  input?: string;
  /** Names of the template's built-in variable: as the endpoint names the text. */
  inputNames: readonly InputName[];
  /** Whether a text that the template does not place follows it, rather than being replaced by it. */
  isInputKept: boolean;
  templateId?: string;
  templateVersion?: number;
  templateVars?: Record<string, string>;
}

export interface RenderedCall {
  text: string;
  template?: { id: string; version: number };
}

const MAX_RENDERED_CHARACTERS = 1_000_000;

/**
 * The text of a turn (§4.7, contract §4 and §5). With a template: its placeholders filled from `templateVars`, else from
 * its defaults. A message that the template does not place follows it; the prompt of a file is replaced by the template.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED
 */
export async function renderForCall(principal: Principal, call: CallText): Promise<RenderedCall> {
  if (call.templateId === undefined) return { text: call.input ?? "" };
  const template = await findTemplate(principal, call.templateId, call.templateVersion);
  const values = mergeValues(template.variables, call.templateVars, builtInValues(call));
  const { text, missing, isTooLong } = renderTemplate(template.promptTemplate, values, MAX_RENDERED_CHARACTERS);
  if (isTooLong) throw invalidField("templateVars", "make the rendered template longer than 1,000,000 characters");
  if (missing.length > 0) throw variablesMissing(missing);
  const placed = findPlaceholders(template.promptTemplate);
  const isPlaced = call.inputNames.some((name) => placed.includes(name));
  const isAppended = call.isInputKept && call.input !== undefined && !isPlaced;
  return {
    text: isAppended ? `${text}\n\n${call.input}` : text,
    template: { id: call.templateId, version: template.version },
  };
}

function builtInValues({ input, inputNames }: CallText): Record<string, string> | undefined {
  return input === undefined ? undefined : Object.fromEntries(inputNames.map((name) => [name, input]));
}

async function findTemplate(principal: Principal, templateId: string, version: number | undefined) {
  const { rows } = await db().query<{ version: number; promptTemplate: string; variables: Record<string, string> }>({
    name: "template-for-call",
    text: `SELECT v.version, v.prompt_template AS "promptTemplate", v.variables
           FROM templates t JOIN template_versions v ON v.template_id = t.id AND v.version = coalesce($3::int, t.version)
           WHERE t.id = $1 AND t.project_id = $2`,
    values: [templateId, principal.projectId, version ?? null],
  });
  const template = rows[0];
  if (!template) throw notFound("The template");
  return template;
}

function variablesMissing(names: string[]): AppError {
  const params = names.map((name) => `templateVars.${name}`);
  return new AppError(
    "TEMPLATE_VARIABLE_MISSING",
    `The template needs values for: ${names.join(", ")}. Pass them in templateVars.`,
    {
      param: params[0],
      details: params.map((param) => ({ param, message: "has neither a passed value nor a default" })),
    },
  );
}
