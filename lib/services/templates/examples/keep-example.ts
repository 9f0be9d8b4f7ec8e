import type { ExampleDraft, TemplateExample } from "@/lib/contracts/template-examples";
import { inTransaction, type Queryable, type Transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { MAX_TEMPLATE_EXAMPLES } from "@/lib/domain/template-limits";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { EXAMPLE_COLUMNS, type ExampleRow, toExample } from "@/lib/services/templates/examples/example-row";
import { checkExampleName, holdTemplate } from "@/lib/services/templates/examples/hold-template";
import type { TemplateScope } from "@/lib/services/templates/template-row";

/**
 * Keeps what a template is tried with.
 * @param createdById the person
 * @param idempotency of a form that may be sent again: its answer is kept in the same transaction
 * @throws AppError NOT_FOUND when there is no such template, also when it is another project's; VALIDATION_FAILED when
 * another example has the name, or the template has as many as it may have
 */
export async function keepExample(
  scope: TemplateScope,
  templateId: string,
  { name, values, message }: ExampleDraft,
  createdById: string,
  idempotency?: IdempotencyClaim,
): Promise<TemplateExample> {
  return inTransaction(async (tx) => {
    await holdTemplate(tx, scope, templateId);
    await checkExampleName(tx, templateId, name);
    await checkRoom(tx, templateId);
    const { rows } = await (tx as Queryable).query<ExampleRow>(
      `INSERT INTO template_examples AS e (id, template_id, name, values, message, created_by_id)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6) RETURNING ${EXAMPLE_COLUMNS}`,
      [newId("templateExample"), templateId, name, JSON.stringify(values), message, createdById],
    );
    const example = toExample(rows[0] as ExampleRow);
    if (idempotency) await keepResponse(tx, idempotency, example);
    return example;
  });
}

async function checkRoom(tx: Transaction, templateId: string): Promise<void> {
  const { rows } = await (tx as Queryable).query<{ total: number }>(
    "SELECT count(*) AS total FROM template_examples WHERE template_id = $1",
    [templateId],
  );
  if ((rows[0]?.total ?? 0) < MAX_TEMPLATE_EXAMPLES) return;
  throw new AppError(
    "VALIDATION_FAILED",
    `A template has at most ${MAX_TEMPLATE_EXAMPLES} examples. Delete one that is no longer needed, or change one.`,
  );
}
