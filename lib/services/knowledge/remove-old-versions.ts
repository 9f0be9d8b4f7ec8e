import type { Transaction } from "@/lib/db/pool";
import { MAX_KNOWLEDGE_VERSIONS_BYTES } from "@/lib/domain/limits";
import type { KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";

/** What a version counts beside its text, so that short ones are bounded too. */
const BYTES_BESIDE = 1024;

/**
 * Contents that hold now count first and stay. Of the others those that are older than what fits go: of each file its oldest,
 * so that what stays has no gaps.
 */
const REMOVE_OLD = `
  WITH counted AS (
    SELECT v.file_id, v.version, v.version = k.version AS is_current,
           sum(octet_length(v.content) + ${BYTES_BESIDE}) OVER (
             ORDER BY v.version = k.version DESC, v.created_at DESC, v.file_id, v.version DESC) AS bytes
      FROM knowledge_files k JOIN knowledge_file_versions v ON v.file_id = k.id
     WHERE k.project_id = $1
  )
  DELETE FROM knowledge_file_versions v USING counted c
   WHERE v.file_id = c.file_id AND v.version = c.version AND NOT c.is_current AND c.bytes > $2`;

/** Removes the oldest versions of a project's files as long as all have too many bytes together. After a change, under the lock. */
export async function removeOldVersions(tx: Transaction, { projectId }: KnowledgeScope): Promise<void> {
  await tx.query(REMOVE_OLD, [projectId, MAX_KNOWLEDGE_VERSIONS_BYTES]);
}
