import type { Extraction } from "@/lib/ai/files/file-kinds";
import { understandFile } from "@/lib/ai/files/understand-file";
import type { ModelPart } from "@/lib/ai/model-message";
import { db } from "@/lib/db/pool";
import { readFileStream } from "@/lib/services/files/read-file-bytes";
import type { ConversationFile } from "@/lib/services/turns/load-conversation";

/** A file of the conversation as the model gets it, and what was read of it. */
export interface ReadFile {
  file: ConversationFile;
  parts: ModelPart[];
  extraction: Extraction;
}

/**
 * Reads a file for the model and notes with the stored file what was read.
 * @param maxTokens what the conversation leaves of the model's window
 * @throws TurnError UNSUPPORTED_FILE, FILE_UNREADABLE
 */
export async function readTurnFile(
  projectId: string,
  file: ConversationFile,
  model: string,
  maxTokens: number,
): Promise<ReadFile> {
  const { parts, extraction } = await understandFile({
    bytesSource: async () => (await readFileStream(projectId, file.id)).stream,
    size: file.size,
    name: file.name,
    contentType: file.contentType,
    model,
    maxTokens,
  });
  await db().query("UPDATE stored_files SET extraction = $2 WHERE id = $1 AND extraction IS DISTINCT FROM $2::jsonb", [
    file.id,
    JSON.stringify(extraction),
  ]);
  return { file, parts, extraction };
}
