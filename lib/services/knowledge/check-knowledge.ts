import { createHash } from "node:crypto";
import type { Transaction } from "@/lib/db/pool";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { parseKnowledgePath } from "@/lib/domain/knowledge-path";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { KnowledgeScope } from "@/lib/services/knowledge/knowledge-file-row";

const MAX_FILE_BYTES = 1024 * 1024;
/** What is ranked for a call that has no room for all of it: some thousand sections. */
const MAX_PROJECT_BYTES = 20 * 1024 * 1024;
const MAX_PROJECT_FILES = 500;

/** @throws AppError VALIDATION_FAILED */
export function checkedPath(text: string): string {
  const parsed = parseKnowledgePath(text);
  if ("problem" in parsed) throw invalidField("path", parsed.problem);
  return parsed.path;
}

/** What is kept with a content. @throws AppError VALIDATION_FAILED */
export function measureContent(content: string): { content: string; sha256: string; tokenCount: number } {
  if (content.trim() === "") throw invalidField("content", "must not be empty");
  if (content.includes("\u0000") || !content.isWellFormed())
    throw invalidField("content", "must be text (UTF-8, no NUL)");
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw invalidField("content", `must have at most ${MAX_FILE_BYTES} bytes`);
  return {
    content,
    sha256: createHash("sha256").update(content).digest("hex"),
    tokenCount: estimateTokens(content),
  };
}

/**
 * Makes changes of one project's knowledge wait for each other, so that its limits and names hold.
 * Not FOR UPDATE: turns that are being accepted refer to the project all the time.
 * @throws AppError NOT_FOUND
 */
export async function lockKnowledge(tx: Transaction, { projectId }: KnowledgeScope): Promise<void> {
  const { rowCount } = await tx.query("SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE", [projectId]);
  if (!rowCount) throw notFound("The project");
}

/** After a change, under the lock. @throws AppError VALIDATION_FAILED */
export async function checkTotals(tx: Transaction, { projectId }: KnowledgeScope): Promise<void> {
  const { rows } = await tx.query<{ files: number; bytes: number }>(
    `SELECT count(*) AS files, coalesce(sum(octet_length(content)), 0) AS bytes FROM knowledge_files WHERE project_id = $1`,
    [projectId],
  );
  if ((rows[0]?.files ?? 0) > MAX_PROJECT_FILES) {
    throw new AppError("VALIDATION_FAILED", `A project has at most ${MAX_PROJECT_FILES} knowledge files.`);
  }
  if ((rows[0]?.bytes ?? 0) > MAX_PROJECT_BYTES) {
    throw new AppError(
      "VALIDATION_FAILED",
      `A project's knowledge files have at most ${MAX_PROJECT_BYTES} bytes together.`,
    );
  }
}
