import type { KnowledgeFile, KnowledgeFileItem } from "@/lib/contracts/knowledge";
import type { Principal } from "@/lib/domain/principal";

/** Whose knowledge: the project that an owner works on in the panel. */
export type KnowledgeScope = Pick<Principal, "projectId">;

export interface KnowledgeItemRow {
  id: string;
  path: string;
  sha256: string;
  size_bytes: number;
  token_count: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface KnowledgeFileRow extends KnowledgeItemRow {
  content: string;
}

export const KNOWLEDGE_ITEM_COLUMNS = `
  k.id, k.path, k.sha256, octet_length(k.content) AS size_bytes, k.token_count, k.version, k.created_at, k.updated_at`;

export const KNOWLEDGE_COLUMNS = `${KNOWLEDGE_ITEM_COLUMNS}, k.content`;

export function toKnowledgeItem(row: KnowledgeItemRow): KnowledgeFileItem {
  return {
    id: row.id,
    path: row.path,
    sha256: row.sha256,
    sizeBytes: row.size_bytes,
    tokenCount: row.token_count,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function toKnowledgeFile(row: KnowledgeFileRow): KnowledgeFile {
  return { ...toKnowledgeItem(row), content: row.content };
}
