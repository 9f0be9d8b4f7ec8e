import { db } from "@/lib/db/pool";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { renderTemplateCall, type TemplateInput } from "@/lib/domain/template-call";

/** What a call says: text of its own, a template, or both. */
export interface CallText extends TemplateInput {
  templateId?: string;
  templateVersion?: number;
}

export interface RenderedCall {
  text: string;
  template?: { id: string; version: number };
}

/**
 * The text of a turn (§4.7): what the call says itself, or its template filled in.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED
 */
export async function renderForCall(principal: Principal, call: CallText): Promise<RenderedCall> {
  if (call.templateId === undefined) return { text: call.input ?? "" };
  const template = await findTemplate(principal, call.templateId, call.templateVersion);
  return { text: renderText(template, call), template: { id: call.templateId, version: template.version } };
}

/**
 * The same for the words of a template, whether they are kept or not.
 * @throws AppError TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED
 */
export function renderText(
  template: { promptTemplate: string; variables: Record<string, string> },
  call: TemplateInput,
): string {
  const { text, missing, isTooLong } = renderTemplateCall(template, call);
  if (isTooLong) throw invalidField("templateVars", "make the rendered template longer than 1,000,000 characters");
  if (missing.length > 0) throw variablesMissing(missing);
  return text;
}

interface TemplateVersion {
  version: number;
  promptTemplate: string;
  variables: Record<string, string>;
}

/**
 * What a template says.
 * @param version undefined: the one that was released for calls, else the newest
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function findTemplate(principal: Pick<Principal, "projectId">, templateId: string, version?: number) {
  const { rows } = await db().query<TemplateVersion | { version: null }>({
    name: "template-for-call",
    text: `SELECT v.version, v.prompt_template AS "promptTemplate", v.variables
           FROM templates t LEFT JOIN template_versions v ON v.template_id = t.id AND v.version = coalesce($3::int, t.live_version, t.version)
           WHERE t.id = $1 AND t.project_id = $2`,
    values: [templateId, principal.projectId, version ?? null],
  });
  const template = rows[0];
  if (!template) throw notFound("The template");
  if (template.version === null) throw notFound(`Version ${version} of the template`, { param: "templateVersion" });
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
