import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { TemplateScope } from "@/lib/services/templates/template-row";

/**
 * Removes a template with its versions. Sessions and turns that used it keep its id and the rendered text.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function deleteTemplate(scope: TemplateScope, templateId: string): Promise<void> {
  const { rowCount } = await db().query("DELETE FROM templates WHERE id = $1 AND project_id = $2", [
    templateId,
    scope.projectId,
  ]);
  if (rowCount === 0) throw notFound("The template");
}
