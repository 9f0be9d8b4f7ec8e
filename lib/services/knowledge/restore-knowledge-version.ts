import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

/**
 * Makes a knowledge file say again what it said in an earlier version. That is a new version of its own, so the ones in
 * between stay; its name stays too. What stands already, restored, changes nothing.
 * @param actor the person
 * @param began the newest version as they saw it; absent (tests): whichever it is
 * @throws AppError NOT_FOUND when there is no such version, also when the file is another project's; VALIDATION_FAILED when
 *   somebody else saved a newer one since, which would be taken back unseen
 */
export async function restoreKnowledgeVersion(
  scope: ProjectScope,
  fileId: string,
  version: number,
  actor: Actor,
  began?: number,
): Promise<KnowledgeFile> {
  const { rows } = await db().query<{ content: string }>(
    `SELECT v.content FROM knowledge_file_versions v JOIN knowledge_files k ON k.id = v.file_id
     WHERE k.id = $1 AND k.project_id = $2 AND v.version = $3`,
    [fileId, scope.projectId, version],
  );
  if (!rows[0]) throw notFound("The version of the knowledge file");
  const { accountId } = scope;
  const { content } = rows[0];
  return updateKnowledgeFile(scope, fileId, { content }, actor.userId ?? null, async (tx, file, versionBefore) => {
    if (file.version === versionBefore) return;
    if (began !== undefined && versionBefore !== began) {
      throw changedMeanwhile(`version ${versionBefore} was saved`, "page");
    }
    await writeAudit(tx, actor, {
      accountId,
      action: "knowledge.restore",
      subject: fileId,
      before: { version: versionBefore },
      after: { version: file.version, restoredVersion: version },
    });
  });
}
