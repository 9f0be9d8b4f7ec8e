import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import { isUniqueViolation } from "@/lib/db/failures";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { invalidField, notFound } from "@/lib/domain/errors";
import { checkedPath, checkTotals, lockKnowledge, measureContent } from "@/lib/services/knowledge/check-knowledge";
import {
  KNOWLEDGE_COLUMNS,
  type KnowledgeFileRow,
  type KnowledgeScope,
  toKnowledgeFile,
} from "@/lib/services/knowledge/knowledge-file-row";
import { writeSections } from "@/lib/services/knowledge/write-sections";

/** A content that did not change makes no version. */
const UPDATE_FILE = `
  WITH k AS (
    UPDATE knowledge_files SET
      path = coalesce($3, path), content = coalesce($4, content), sha256 = coalesce($5, sha256),
      token_count = coalesce($6::int, token_count),
      version = version + CASE WHEN coalesce($5, sha256) <> sha256 THEN 1 ELSE 0 END,
      updated_at = greatest(clock_timestamp(), updated_at)
    WHERE id = $1 AND project_id = $2
    RETURNING *
  ),
  next_version AS (
    INSERT INTO knowledge_file_versions (file_id, version, content, sha256, created_by_id, created_at)
    SELECT k.id, k.version, k.content, k.sha256, $7, k.updated_at FROM k
    ON CONFLICT (file_id, version) DO NOTHING
  )
  SELECT ${KNOWLEDGE_COLUMNS} FROM k`;

/**
 * Changes a knowledge file's name or content; another content is a new version.
 * @param changedById the person
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, also when it is another project's
 */
export async function updateKnowledgeFile(
  scope: KnowledgeScope,
  fileId: string,
  changes: { path?: string; content?: string },
  changedById: string | null = null,
): Promise<KnowledgeFile> {
  const path = changes.path === undefined ? null : checkedPath(changes.path);
  const measured = changes.content === undefined ? null : measureContent(changes.content);
  return inTransaction(async (tx) => {
    await lockKnowledge(tx, scope);
    const row = await updateRow(tx, [
      fileId,
      scope.projectId,
      path,
      measured?.content ?? null,
      measured?.sha256 ?? null,
      measured?.tokenCount ?? null,
      changedById,
    ]);
    await writeSections(tx, scope, row);
    await checkTotals(tx, scope);
    return toKnowledgeFile(row);
  });
}

async function updateRow(tx: Transaction, values: unknown[]): Promise<KnowledgeFileRow> {
  try {
    const { rows } = await tx.query<KnowledgeFileRow>(UPDATE_FILE, values);
    if (!rows[0]) throw notFound("The knowledge file");
    return rows[0];
  } catch (error) {
    if (isUniqueViolation(error, "knowledge_files_project_id_path_key")) {
      throw invalidField("path", "is taken by another file");
    }
    throw error;
  }
}
