import { inTransaction } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";

/**
 * Removes a template with its versions. Sessions and turns that used it keep its id and the rendered text.
 * @param actor the person, for the audit log; none for the API, whose calls are in the log of calls
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function deleteTemplate(
  { accountId, projectId }: ProjectScope,
  templateId: string,
  actor?: Actor,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ name: string; slug: string; version: number }>(
      "DELETE FROM templates WHERE id = $1 AND project_id = $2 RETURNING name, slug, version",
      [templateId, projectId],
    );
    const [before] = rows;
    if (!before) throw notFound("The template");
    if (actor) await writeAudit(tx, actor, { accountId, action: "template.delete", subject: templateId, before });
  });
}
