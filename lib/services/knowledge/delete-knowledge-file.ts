import { inTransaction } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";

/**
 * Removes a knowledge file with its versions. What earlier turns saw of it stays in their receipts, by name and hash.
 * @param actor the person, for the audit log
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function deleteKnowledgeFile(
  { accountId, projectId }: ProjectScope,
  fileId: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ path: string; version: number; sha256: string }>(
      "DELETE FROM knowledge_files WHERE id = $1 AND project_id = $2 RETURNING path, version, sha256",
      [fileId, projectId],
    );
    const [before] = rows;
    if (!before) throw notFound("The knowledge file");
    await writeAudit(tx, actor, { accountId, action: "knowledge.delete", subject: fileId, before });
  });
}
