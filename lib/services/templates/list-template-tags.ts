import { db } from "@/lib/db/pool";
import type { TemplateScope } from "@/lib/services/templates/template-row";

/** More would not help anybody to choose. */
const MAX_TAGS = 200;

/** The tags of the project's templates by name, each once. */
export async function listTemplateTags({ projectId }: TemplateScope): Promise<string[]> {
  const { rows } = await db().query<{ tag: string }>(
    `SELECT DISTINCT unnest(tags) AS tag FROM templates WHERE project_id = $1 ORDER BY tag LIMIT ${MAX_TAGS}`,
    [projectId],
  );
  return rows.map(({ tag }) => tag);
}
