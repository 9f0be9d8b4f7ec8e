import type { EditBase, SaveResult } from "@/lib/contracts/edit-base";
import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import { isUniqueViolation } from "@/lib/db/failures";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { invalidField, notFound } from "@/lib/domain/errors";
import { checkedPath, checkTotals, lockKnowledge, measureContent } from "@/lib/services/knowledge/check-knowledge";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import {
  KNOWLEDGE_COLUMNS,
  type KnowledgeFileRow,
  type KnowledgeScope,
  toKnowledgeFile,
} from "@/lib/services/knowledge/knowledge-file-row";
import { removeOldVersions } from "@/lib/services/knowledge/remove-old-versions";
import { writeSections } from "@/lib/services/knowledge/write-sections";

/**
 * A content that did not change makes no version, and where the name did not either the file's time stays. With a base, only
 * what still is as it was then is changed. Changes of a project's files go one after another, so what is read is what was changed.
 */
const UPDATE_FILE = `
  WITH before AS (
    SELECT version FROM knowledge_files WHERE id = $1 AND project_id = $2
  ),
  k AS (
    UPDATE knowledge_files SET
      path = coalesce($3, path), content = coalesce($4, content), sha256 = coalesce($5, sha256),
      token_count = coalesce($6::int, token_count),
      version = version + CASE WHEN coalesce($5, sha256) <> sha256 THEN 1 ELSE 0 END,
      updated_at = CASE WHEN coalesce($3, path) <> path OR coalesce($5, sha256) <> sha256
                        THEN greatest(clock_timestamp(), updated_at) ELSE updated_at END
    WHERE id = $1 AND project_id = $2
      AND ($8::int IS NULL OR (version = $8 AND updated_at = $9::timestamptz))
    RETURNING *
  ),
  next_version AS (
    INSERT INTO knowledge_file_versions (file_id, version, content, sha256, created_by_id, created_at)
    SELECT k.id, k.version, k.content, k.sha256, $7, k.updated_at FROM k
    ON CONFLICT (file_id, version) DO NOTHING
  )
  SELECT ${KNOWLEDGE_COLUMNS}, before.version AS version_before FROM k, before`;

/** @param versionBefore the file's own when its content did not change */
type Recorder = (tx: Transaction, file: KnowledgeFile, versionBefore: number) => Promise<void>;

interface ChangedRow extends KnowledgeFileRow {
  version_before: number;
}

/** What is absent stays. */
interface KnowledgeChanges {
  path?: string;
  content?: string;
}

/**
 * Changes a knowledge file's name or content; another content is a new version, for which the project's
 * oldest may go.
 * @param changedById the person
 * @param record runs in the transaction of the change, for the audit log
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, also when it is another project's
 */
export async function updateKnowledgeFile(
  scope: KnowledgeScope,
  fileId: string,
  changes: KnowledgeChanges,
  changedById: string | null = null,
  record: Recorder = async () => {},
): Promise<KnowledgeFile> {
  const changed = await runUpdate(scope, { fileId }, changes, changedById, { record });
  if (!changed) throw notFound("The knowledge file");
  return changed;
}

/**
 * The same for somebody who edits: changes nothing when the file is no longer what they began with.
 * @param base version and time of what they began with
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, also when it is another project's
 */
export async function saveKnowledgeFile(
  scope: KnowledgeScope,
  fileId: string,
  { base, changes }: { base: EditBase; changes: KnowledgeChanges },
  changedById: string,
): Promise<SaveResult<KnowledgeFile>> {
  const saved = await runUpdate(scope, { fileId }, changes, changedById, { base });
  return saved ? { outcome: "saved", saved } : { outcome: "conflict", current: await getKnowledgeFile(scope, fileId) };
}

/**
 * Gives the file of a name another content, whichever that is once other changes of the project's files are over.
 * @param changedById the person
 * @returns null when no file has the name
 * @throws AppError VALIDATION_FAILED, NOT_FOUND (project)
 */
export async function updateIfNamed(
  scope: KnowledgeScope,
  path: string,
  content: string,
  changedById: string,
): Promise<{ outcome: "changed" | "same"; fileId: string } | null> {
  let outcome: "changed" | "same" = "same";
  const changed = await runUpdate(scope, { path }, { content }, changedById, {
    record: async (_tx, { version }, versionBefore) => {
      if (version > versionBefore) outcome = "changed";
    },
  });
  return changed && { outcome, fileId: changed.id };
}

/** Null: there is no such file, or it is not as the base says. */
async function runUpdate(
  scope: KnowledgeScope,
  file: { fileId: string } | { path: string },
  changes: KnowledgeChanges,
  changedById: string | null,
  { base, record }: { base?: EditBase; record?: Recorder },
): Promise<KnowledgeFile | null> {
  const path = changes.path === undefined ? null : checkedPath(changes.path);
  const measured = changes.content === undefined ? null : measureContent(changes.content);
  return inTransaction(async (tx) => {
    await lockKnowledge(tx, scope);
    const row = await updateRow(tx, [
      "fileId" in file ? file.fileId : await findFileId(tx, scope, file.path),
      scope.projectId,
      path,
      measured?.content ?? null,
      measured?.sha256 ?? null,
      measured?.tokenCount ?? null,
      changedById,
      base?.version ?? null,
      base?.updatedAt ?? null,
    ]);
    if (!row) return null;
    await writeSections(tx, scope, row);
    await checkTotals(tx, scope);
    await removeOldVersions(tx, scope);
    const changed = toKnowledgeFile(row);
    await record?.(tx, changed, row.version_before);
    return changed;
  });
}

/** Under the lock: whoever renames waits, and who deletes is waited for by the change. */
async function findFileId(tx: Transaction, { projectId }: KnowledgeScope, path: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    "SELECT id FROM knowledge_files WHERE project_id = $1 AND path = $2",
    [projectId, path],
  );
  return rows[0]?.id ?? null;
}

async function updateRow(tx: Transaction, values: unknown[]): Promise<ChangedRow | null> {
  try {
    const { rows } = await tx.query<ChangedRow>(UPDATE_FILE, values);
    return rows[0] ?? null;
  } catch (error) {
    if (isUniqueViolation(error, "knowledge_files_project_id_path_key")) {
      throw invalidField("path", "is taken by another file");
    }
    throw error;
  }
}
