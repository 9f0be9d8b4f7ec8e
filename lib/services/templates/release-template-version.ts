import { inTransaction } from "@/lib/db/pool";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";

/**
 * Says which version of a template calls use that name none, from the next call on: what is saved after it waits. It is kept
 * for as long as it is that. Nobody who edits the template meets a change by it.
 * @param choice.version null: the newest, whichever that is
 * @param choice.began what whoever chooses saw that calls use, null: the newest; absent (tests): whatever they use
 * @throws AppError NOT_FOUND when there is no such version, also when the template is another project's; VALIDATION_FAILED when
 *   somebody else chose another since
 */
export async function releaseTemplateVersion(
  { accountId, projectId }: ProjectScope,
  templateId: string,
  { version, began }: { version: number | null; began?: number | null },
  actor: Actor,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ before: number | null }>(
      "SELECT live_version AS before FROM templates WHERE id = $1 AND project_id = $2 FOR NO KEY UPDATE",
      [templateId, projectId],
    );
    if (!rows[0]) throw notFound("The template");
    const { before } = rows[0];
    if (before === version) return;
    if (began !== undefined && before !== began) throw changedMeanwhile(wordsOf(before), "page");
    // Looked for once the row is held: whoever saves takes it before the oldest versions go.
    const { rowCount } = await tx.query(
      `UPDATE templates SET live_version = $2
       WHERE id = $1 AND ($2::int IS NULL
         OR EXISTS (SELECT FROM template_versions v WHERE v.template_id = templates.id AND v.version = $2))`,
      [templateId, version],
    );
    if (rowCount === 0) throw notFound("The version of the template");
    await writeAudit(tx, actor, {
      accountId,
      action: "template.release",
      subject: templateId,
      before: { liveVersion: before },
      after: { liveVersion: version },
    });
  });
}

function wordsOf(liveVersion: number | null): string {
  return liveVersion === null ? "calls were made to follow the newest version" : `version ${liveVersion} was chosen`;
}
