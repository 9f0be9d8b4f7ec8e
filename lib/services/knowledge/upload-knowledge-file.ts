import type { KnowledgeUpload } from "@/lib/contracts/knowledge";
import { decodeUpload } from "@/lib/services/files/decode-upload";
import { checkedPath } from "@/lib/services/knowledge/check-knowledge";
import { createIfFree } from "@/lib/services/knowledge/create-knowledge-file";
import type { KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";
import { updateIfNamed } from "@/lib/services/knowledge/update-knowledge-file";

/**
 * Takes a file into the knowledge base: under a new name as a new file, under a known one as that file's next version. Which of
 * the two it is is looked at together with the change: in between somebody may take the name, delete its file or rename it.
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
  for (;;) {
    const changed = await updateIfNamed(scope, path, content, uploadedById);
    if (changed) return { ...changed, path };
    const created = await createIfFree(scope, { path, content }, uploadedById);
    if (created) return { outcome: "created", fileId: created.id, path };
  }
}
