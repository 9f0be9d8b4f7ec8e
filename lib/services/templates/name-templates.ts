import { db } from "@/lib/db/pool";
import type { ProjectScope } from "@/lib/domain/principal";

/** The names of templates of the project, by their ids; those that are not there any more are absent. */
export async function nameTemplates(
  { projectId }: Pick<ProjectScope, "projectId">,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const { rows } = await db().query<{ id: string; name: string }>(
    "SELECT id, name FROM templates WHERE project_id = $1 AND id = ANY($2::text[])",
    [projectId, wanted],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
