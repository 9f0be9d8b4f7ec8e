import { createHash } from "node:crypto";
import { db } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import { safeDisplayName } from "@/lib/domain/file-name";
import type { Principal } from "@/lib/domain/principal";
import { isOpenStatus, type OpenStatus, type SessionStatus } from "@/lib/domain/session-status";
import { type OpenFile, openProjectFile } from "@/lib/services/files/open-file";
import { hasReadableOutput, type SessionRow } from "@/lib/services/sessions/session-row";

/**
 * The output of a processing as a file: what the model made, or its text as Markdown (contract §4, download). Of a chat
 * only what the model made, since `downloadUrl` leads here for both kinds.
 * @throws AppError NOT_FOUND; NOT_READY while an answer is being made, and when it ended without any
 */
export async function openProcessOutput(
  principal: Principal,
  sessionId: string,
  endUserId?: string,
): Promise<OpenFile> {
  const row = await findOutput(principal, sessionId, endUserId);
  if (!hasReadableOutput(row)) throw notReady(row.status);
  if (row.output_file_id) return openProjectFile(principal.projectId, row.output_file_id);
  return textFile(row.id, markdownName(row.file_name), row.last_output);
}

type OutputRow = Pick<SessionRow, "id" | "status" | "last_output"> & {
  output_file_id: string | null;
  /** Of the processing's own file; empty for a chat. */
  file_name: string;
};

async function findOutput(principal: Principal, sessionId: string, endUserId?: string): Promise<OutputRow> {
  const { rows } = await db().query<OutputRow>({
    name: "find-output",
    text: `
      SELECT s.id, s.status, s.last_output, s.output_file_id, coalesce(f.name, '') AS file_name
      FROM sessions s LEFT JOIN stored_files f ON f.id = s.file_id
      WHERE s.id = $1 AND s.project_id = $2 AND ($3::text IS NULL OR s.end_user_id = $3)
        AND (s.kind = 'process' OR s.output_file_id IS NOT NULL)`,
    values: [sessionId, principal.projectId, endUserId ?? null],
  });
  const row = rows[0];
  if (!row) throw notFound("The processing");
  return row;
}

const STILL_MADE: Record<OpenStatus, string> = {
  started: "there is no output to download. Poll it until it is completed.",
  resumed: "its next answer is being made. Poll it until that is done, then download it.",
};

/** Work that ended without an output makes none any more: only while it is open does it help to ask again. */
function notReady(status: SessionStatus): AppError {
  if (isOpenStatus(status)) return new AppError("NOT_READY", `The processing is ${status}: ${STILL_MADE[status]}`);
  const why = status === "failed" ? "`error` of GET /process/:id says why; send" : "Send";
  return new AppError(
    "NOT_READY",
    `The processing is ${status}: there is no output to download, and it will not complete. ${why} the file again.`,
    { isRetryable: false },
  );
}

/** The file's own name with another ending; one that begins with its only dot has none, as `.htaccess`. */
function markdownName(fileName: string): string {
  return safeDisplayName(`${fileName.replace(/(?<=.)\.[^.]*$/, "")}.md`);
}

function textFile(id: string, name: string, text: string): OpenFile {
  const bytes = Buffer.from(text, "utf8");
  return {
    id,
    name,
    contentType: "text/markdown; charset=utf-8",
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    read: async (range) => new Blob([range ? bytes.subarray(range.start, range.end + 1) : bytes]).stream(),
    find: async () => {},
  };
}
