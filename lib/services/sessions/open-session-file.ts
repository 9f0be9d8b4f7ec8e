import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type OpenFile, openProjectFile } from "@/lib/services/files/open-file";

/**
 * Opens a file of a session for the panel: what a call sent, or what the AI made.
 * @throws AppError NOT_FOUND, also when it is another session's or project's
 */
export async function openSessionFile(
  { accountId, projectId }: ProjectScope,
  sessionId: string,
  fileId: string,
): Promise<OpenFile> {
  const { rows } = await db().query(
    "SELECT 1 FROM stored_files WHERE id = $1 AND session_id = $2 AND project_id = $3 AND account_id = $4",
    [fileId, sessionId, projectId, accountId],
  );
  if (rows.length === 0) throw notFound("This file");
  return openProjectFile(projectId, fileId);
}
