import { db } from "@/lib/db/pool";
import { isId } from "@/lib/domain/ids";
import type { ProjectScope } from "@/lib/domain/principal";
import { nameTemplates } from "@/lib/services/templates/name-templates";

/** A template as a filter names it. */
export interface TemplateChoice {
  id: string;
  name: string;
}

export interface TemplateChoices {
  templates: TemplateChoice[];
  /** Whether older ones were left out. */
  hasMore: boolean;
}

const MOST = 100;

/**
 * The project's newest templates to choose among, by their names alone: the texts of a hundred are megabytes. And the chosen one,
 * wherever it stands.
 * @param chosenId as an address has it
 */
export async function listTemplateChoices(
  { projectId }: Pick<ProjectScope, "projectId">,
  chosenId?: string,
  most = MOST,
): Promise<TemplateChoices> {
  const { rows } = await db().query<TemplateChoice>(
    "SELECT id, name FROM templates WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2",
    [projectId, most + 1],
  );
  const templates = rows.slice(0, most);
  // The database fails at looking for a NUL, which an address may have.
  if (chosenId !== undefined && isId("template", chosenId) && !templates.some(({ id }) => id === chosenId)) {
    for (const [id, name] of await nameTemplates({ projectId }, [chosenId])) templates.push({ id, name });
  }
  return { templates, hasMore: rows.length > most };
}
