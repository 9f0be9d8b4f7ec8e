import type { Template } from "@/lib/contracts/template-records";
import { inTransaction, type Queryable } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { updateTemplate } from "@/lib/services/templates/update-template";

/**
 * Makes a template say again what it said in an earlier version. That is a new version of its own, so the ones in between
 * stay; the current one restored changes nothing.
 * @param actor the person
 * @throws AppError NOT_FOUND when there is no such version, also when the template is another project's
 */
export async function restoreTemplateVersion(
  scope: ProjectScope,
  templateId: string,
  version: number,
  actor: Actor,
): Promise<Template> {
  return inTransaction(async (tx) => {
    const { rows } = await tx.query<{ current: number; promptTemplate: string; variables: Record<string, string> }>(
      `SELECT t.version AS current, v.prompt_template AS "promptTemplate", v.variables
       FROM template_versions v JOIN templates t ON t.id = v.template_id
       WHERE t.id = $1 AND t.project_id = $2 AND v.version = $3 FOR UPDATE OF t`,
      [templateId, scope.projectId, version],
    );
    if (!rows[0]) throw notFound("The version of the template");
    const { current, ...said } = rows[0];
    const restored = await updateTemplate(scope, templateId, said, actor.userId ?? null, tx as Queryable);
    if (restored.version !== current) {
      await writeAudit(tx, actor, {
        accountId: scope.accountId,
        action: "template.restore",
        subject: templateId,
        before: { version: current },
        after: { version: restored.version, restoredVersion: version },
      });
    }
    return restored;
  });
}
