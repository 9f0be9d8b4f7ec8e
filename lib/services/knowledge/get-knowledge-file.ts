import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import {
  KNOWLEDGE_COLUMNS,
  type KnowledgeFileRow,
  type KnowledgeScope,
  toKnowledgeFile,
} from "@/lib/services/knowledge/knowledge-file-row";

/**
 * One knowledge file.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function getKnowledgeFile(scope: KnowledgeScope, fileId: string): Promise<KnowledgeFile> {
  const { rows } = await db().query<KnowledgeFileRow>(
    `SELECT ${KNOWLEDGE_COLUMNS} FROM knowledge_files k WHERE k.id = $1 AND k.project_id = $2`,
    [fileId, scope.projectId],
  );
  if (!rows[0]) throw notFound("The knowledge file");
  return toKnowledgeFile(rows[0]);
}
