import type { TemplateExample } from "@/lib/contracts/template-examples";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { EXAMPLE_COLUMNS, type ExampleRow, toExample } from "@/lib/services/templates/examples/example-row";
import type { TemplateScope } from "@/lib/services/templates/template-row";

/**
 * All examples of a template, by their names.
 * @throws AppError NOT_FOUND when there is no such template, also when it is another project's
 */
export async function listExamples({ projectId }: TemplateScope, templateId: string): Promise<TemplateExample[]> {
  const { rows } = await db().query<ExampleRow | { id: null }>(
    `SELECT ${EXAMPLE_COLUMNS} FROM templates t LEFT JOIN template_examples e ON e.template_id = t.id
     WHERE t.id = $1 AND t.project_id = $2 ORDER BY lower(e.name), e.id`,
    [templateId, projectId],
  );
  if (rows.length === 0) throw notFound("The template");
  // Of a template without any there is one row, of nothing.
  return rows.flatMap((row) => (row.id === null ? [] : [toExample(row)]));
}
