import type { Template } from "@/lib/contracts/template-records";
import { db, type Queryable } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import {
  TEMPLATE_COLUMNS,
  type TemplateRow,
  type TemplateScope,
  toTemplate,
} from "@/lib/services/templates/template-row";

/**
 * One template.
 * @param on the caller's transaction; absent: none
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function getTemplate(scope: TemplateScope, templateId: string, on: Queryable = db()): Promise<Template> {
  const { rows } = await on.query<TemplateRow>(
    `SELECT ${TEMPLATE_COLUMNS} FROM templates t WHERE t.id = $1 AND t.project_id = $2`,
    [templateId, scope.projectId],
  );
  if (!rows[0]) throw notFound("The template");
  return toTemplate(rows[0]);
}
