import type { KnowledgeFileItem } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import {
  KNOWLEDGE_ITEM_COLUMNS,
  type KnowledgeItemRow,
  type KnowledgeScope,
  toKnowledgeItem,
} from "@/lib/services/knowledge/knowledge-file-row";

/** All knowledge files of the project by name, without their content. A project has at most some hundred. */
export async function listKnowledgeFiles(scope: KnowledgeScope): Promise<KnowledgeFileItem[]> {
  const { rows } = await db().query<KnowledgeItemRow>(
    `SELECT ${KNOWLEDGE_ITEM_COLUMNS} FROM knowledge_files k WHERE k.project_id = $1 ORDER BY k.path`,
    [scope.projectId],
  );
  return rows.map(toKnowledgeItem);
}
