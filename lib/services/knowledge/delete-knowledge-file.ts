import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";

/**
 * Removes a knowledge file with its versions. What earlier turns saw of it stays in their receipts, by name and hash.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function deleteKnowledgeFile(scope: KnowledgeScope, fileId: string): Promise<void> {
  const { rowCount } = await db().query("DELETE FROM knowledge_files WHERE id = $1 AND project_id = $2", [
    fileId,
    scope.projectId,
  ]);
  if (rowCount === 0) throw notFound("The knowledge file");
}
