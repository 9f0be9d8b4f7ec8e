import type { KnowledgeUpload } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import { decodeUpload } from "@/lib/services/files/decode-upload";
import { checkedPath } from "@/lib/services/knowledge/check-knowledge";
import { createIfFree } from "@/lib/services/knowledge/create-knowledge-file";
import type { KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

/**
 * Takes a file into the knowledge base: under a new name as a new file, under a known one as that file's next version.
 * @param uploadedById the person
 * @throws AppError VALIDATION_FAILED (name, other than UTF-8, content, the project's limits), NOT_FOUND (project)
 */
export async function uploadKnowledgeFile(
  scope: KnowledgeScope,
  input: { path: string; bytes: Uint8Array },
  uploadedById: string,
): Promise<KnowledgeUpload> {
  const path = checkedPath(input.path);
  const content = decodeUpload(input.bytes);
  const { rows } = await db().query<{ id: string; version: number }>(
    "SELECT id, version FROM knowledge_files WHERE project_id = $1 AND path = $2",
    [scope.projectId, path],
  );
  const [known] = rows;
  if (!known) {
    const created = await createIfFree(scope, { path, content }, uploadedById);
    // Somebody else's upload of the same name came first: this one is its next version.
    return created ? { outcome: "created", fileId: created.id, path } : uploadKnowledgeFile(scope, input, uploadedById);
  }
  const { version } = await updateKnowledgeFile(scope, known.id, { content }, uploadedById);
  return { outcome: version > known.version ? "changed" : "same", fileId: known.id, path };
}
