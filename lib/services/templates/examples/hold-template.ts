import type { Queryable, Transaction } from "@/lib/db/pool";
import { invalidField, notFound } from "@/lib/domain/errors";
import type { TemplateScope } from "@/lib/services/templates/template-row";

/**
 * Has whoever else keeps or changes an example of the template wait until the transaction ends; calls that use the template
 * go on.
 * @throws AppError NOT_FOUND when there is no such template, also when it is another project's
 */
export async function holdTemplate(tx: Transaction, { projectId }: TemplateScope, templateId: string): Promise<void> {
  const { rowCount } = await (tx as Queryable).query(
    "SELECT 1 FROM templates WHERE id = $1 AND project_id = $2 FOR NO KEY UPDATE",
    [templateId, projectId],
  );
  if (rowCount === 0) throw notFound("The template");
}

/**
 * Of examples of one name nobody knows which is which.
 * @param ownId of the example that may have it
 * @throws AppError VALIDATION_FAILED when another one of the template has the name
 */
export async function checkExampleName(
  tx: Transaction,
  templateId: string,
  name: string,
  ownId: string | null = null,
): Promise<void> {
  const { rowCount } = await (tx as Queryable).query(
    "SELECT 1 FROM template_examples WHERE template_id = $1 AND name = $2 AND id IS DISTINCT FROM $3",
    [templateId, name, ownId],
  );
  if (rowCount) throw invalidField("draft.name", "is the name of another example");
}
