import type { SaveResult } from "@/lib/contracts/edit-base";
import type { ExampleDraft, TemplateExample } from "@/lib/contracts/template-examples";
import { inTransaction, type Queryable } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { EXAMPLE_COLUMNS, type ExampleRow, toExample } from "@/lib/services/templates/examples/example-row";
import { checkExampleName, holdTemplate } from "@/lib/services/templates/examples/hold-template";

/** Of two changes within a millisecond the second is told from the first, too. */
const SAVE_EXAMPLE = `
  UPDATE template_examples e SET name = $2, values = $3::jsonb, message = $4,
    updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
  WHERE id = $1 RETURNING ${EXAMPLE_COLUMNS}`;

/**
 * Changes an example, or its name alone; changes nothing when it is no longer what the reader began with.
 * @param base when what they began with was saved
 * @param actor the person, for the audit log
 * @throws AppError NOT_FOUND when there is no such example of that template, also when it is another project's;
 * VALIDATION_FAILED when another example has the name
 */
export async function saveExample(
  scope: ProjectScope,
  { templateId, exampleId }: { templateId: string; exampleId: string },
  { base, draft: { name, values, message } }: { base: string; draft: ExampleDraft },
  actor: Actor,
): Promise<SaveResult<TemplateExample>> {
  return inTransaction(async (tx) => {
    const on = tx as Queryable;
    await holdTemplate(tx, scope, templateId);
    const { rows } = await on.query<ExampleRow>(
      `SELECT ${EXAMPLE_COLUMNS} FROM template_examples e WHERE e.id = $1 AND e.template_id = $2 FOR NO KEY UPDATE`,
      [exampleId, templateId],
    );
    if (!rows[0]) throw notFound("The example");
    const before = toExample(rows[0]);
    if (before.updatedAt !== new Date(base).toISOString()) return { outcome: "conflict", current: before };
    await checkExampleName(tx, templateId, name, exampleId);
    const saved = await on.query<ExampleRow>(SAVE_EXAMPLE, [exampleId, name, JSON.stringify(values), message]);
    await writeAudit(tx, actor, {
      accountId: scope.accountId,
      action: "template.change-example",
      subject: templateId,
      before: { example: before.name },
      after: { example: name },
    });
    return { outcome: "saved", saved: toExample(saved.rows[0] as ExampleRow) };
  });
}
