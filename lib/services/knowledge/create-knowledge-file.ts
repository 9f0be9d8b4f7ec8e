import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import { inTransaction } from "@/lib/db/pool";
import { invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { checkedPath, checkTotals, lockKnowledge, measureContent } from "@/lib/services/knowledge/check-knowledge";
import {
  KNOWLEDGE_COLUMNS,
  type KnowledgeFileRow,
  type KnowledgeScope,
  toKnowledgeFile,
} from "@/lib/services/knowledge/knowledge-file-row";
import { removeOldVersions } from "@/lib/services/knowledge/remove-old-versions";
import { writeSections } from "@/lib/services/knowledge/write-sections";

const INSERT_FILE = `
  WITH k AS (
    INSERT INTO knowledge_files (id, project_id, path, content, sha256, token_count) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (project_id, path) DO NOTHING
    RETURNING *
  ),
  first_version AS (
    INSERT INTO knowledge_file_versions (file_id, version, content, sha256, created_by_id, created_at)
    SELECT k.id, k.version, k.content, k.sha256, $7, k.created_at FROM k
  )
  SELECT ${KNOWLEDGE_COLUMNS} FROM k`;

/**
 * Makes a knowledge file with its first version. From the next turn on the AI knows it.
 * @param createdById the person
 * @throws AppError VALIDATION_FAILED (path, content, the project's limits, a path that is taken), NOT_FOUND (project)
 */
export async function createKnowledgeFile(
  scope: KnowledgeScope,
  input: { path: string; content: string },
  createdById: string | null = null,
  idempotency?: IdempotencyClaim,
): Promise<KnowledgeFile> {
  const created = await createIfFree(scope, input, createdById, idempotency);
  if (!created) throw invalidField("path", "is taken by another file");
  return created;
}

/**
 * The same for who can do something else with a path that is taken: null then.
 * @throws AppError as `createKnowledgeFile`, but for a path that is taken
 */
export async function createIfFree(
  scope: KnowledgeScope,
  input: { path: string; content: string },
  createdById: string | null,
  idempotency?: IdempotencyClaim,
): Promise<KnowledgeFile | null> {
  const path = checkedPath(input.path);
  const { content, sha256, tokenCount } = measureContent(input.content);
  return inTransaction(async (tx) => {
    await lockKnowledge(tx, scope);
    const { rows } = await tx.query<KnowledgeFileRow>(INSERT_FILE, [
      newId("knowledgeFile"),
      scope.projectId,
      path,
      content,
      sha256,
      tokenCount,
      createdById,
    ]);
    const row = rows[0];
    if (!row) return null;
    await writeSections(tx, scope, row);
    await checkTotals(tx, scope);
    await removeOldVersions(tx, scope);
    const answer = toKnowledgeFile(row);
    if (idempotency) await keepResponse(tx, idempotency, answer);
    return answer;
  });
}
