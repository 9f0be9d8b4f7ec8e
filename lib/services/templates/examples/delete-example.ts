import { inTransaction } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";

/**
 * Removes an example of a template.
 * @param actor the person, for the audit log
 * @throws AppError NOT_FOUND when there is no such example of that template, also when it is another project's
 */
export async function deleteExample(
  { accountId, projectId }: ProjectScope,
  { templateId, exampleId }: { templateId: string; exampleId: string },
  actor: Actor,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ name: string }>(
      `DELETE FROM template_examples e USING templates t
       WHERE e.id = $1 AND t.id = e.template_id AND t.id = $2 AND t.project_id = $3 RETURNING e.name`,
      [exampleId, templateId, projectId],
    );
    if (!rows[0]) throw notFound("The example");
    const before = { example: rows[0].name };
    await writeAudit(tx, actor, { accountId, action: "template.delete-example", subject: templateId, before });
  });
}
