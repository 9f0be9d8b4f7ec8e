import { createHash } from "node:crypto";
import { AppError } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { type OpenFile, openProjectFile } from "@/lib/services/files/open-file";
import { findProcess } from "@/lib/services/process/get-process";
import { hasReadableOutput } from "@/lib/services/sessions/session-row";

/**
 * The output of a processing as a file: what the model made, or its text as Markdown (contract §4, download).
 * @throws AppError NOT_FOUND, NOT_READY before it completed
 */
export async function openProcessOutput(
  principal: Principal,
  sessionId: string,
  endUserId?: string,
): Promise<OpenFile> {
  const row = await findProcess(principal, sessionId, endUserId);
  if (!hasReadableOutput(row)) {
    throw new AppError(
      "NOT_READY",
      `The processing is ${row.status}: there is no output to download. Poll it until it is completed.`,
    );
  }
  if (row.output_file_id) return openProjectFile(principal.projectId, row.output_file_id);
  return textFile(row.id, `${row.file_name.replace(/\.[^.]*$/, "")}.md`, row.last_output ?? "");
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
  };
}
