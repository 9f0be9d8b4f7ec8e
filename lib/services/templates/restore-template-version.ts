import type { Template } from "@/lib/contracts/template-records";
import { inTransaction } from "@/lib/db/pool";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { getTemplate } from "@/lib/services/templates/get-template";
import { updateTemplate } from "@/lib/services/templates/update-template";

/** A version of a template, beside what stands now. */
interface EarlierVersion {
  current: number;
  /** Whether the version says what the template says now. */
  stands: boolean;
  promptTemplate: string;
  variables: Record<string, string>;
}

/**
 * Makes a template say again what it said in an earlier version. That is a new version of its own, so the ones in between
 * stay; one that says what stands already changes nothing, so that nobody who edits meets a change that is none.
 * @param actor the person
 * @param began the newest version as they saw it; absent (tests): whichever it is
 * @throws AppError NOT_FOUND when there is no such version, also when the template is another project's; VALIDATION_FAILED when
 *   somebody else saved a newer one since, which would be taken back unseen
 */
export async function restoreTemplateVersion(
  scope: ProjectScope,
  templateId: string,
  version: number,
  actor: Actor,
  began?: number,
): Promise<Template> {
  return inTransaction(async (tx) => {
    const { rows } = await tx.query<EarlierVersion>(
      `SELECT t.version AS current, v.prompt_template AS "promptTemplate", v.variables,
              v.prompt_template = t.prompt_template AND v.variables = t.variables AS stands
       FROM template_versions v JOIN templates t ON t.id = v.template_id
       WHERE t.id = $1 AND t.project_id = $2 AND v.version = $3 FOR UPDATE OF t`,
      [templateId, scope.projectId, version],
    );
    if (!rows[0]) throw notFound("The version of the template");
    const { current, stands, ...said } = rows[0];
    if (stands) return getTemplate(scope, templateId, tx);
    if (began !== undefined && current !== began) throw changedMeanwhile(`version ${current} was saved`, "page");
    const restored = await updateTemplate(scope, templateId, said, actor.userId ?? null, tx);
    await writeAudit(tx, actor, {
      accountId: scope.accountId,
      action: "template.restore",
      subject: templateId,
      before: { version: current },
      after: { version: restored.version, restoredVersion: version },
    });
    return restored;
  });
}
