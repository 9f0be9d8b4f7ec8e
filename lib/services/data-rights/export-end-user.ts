import { inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { type ClaimedDataRequest, claimDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { unlessErased } from "@/lib/services/data-rights/erasure-stands";
import { keepExportFile } from "@/lib/services/data-rights/keep-export-file";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { type ExportQuery, rowAsJson, writeExport } from "@/lib/services/data-rights/write-export";
import { discardUpload } from "@/lib/services/files/discard-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";

/**
 * Writes all that is kept of an end user into a file of JSON lines (the first says what it is, each further one holds a
 * row and its table), as of one moment, and puts it into the store under an address that works for seven days.
 * Uploaded and made files are in it by their addresses.
 * @throws AppError SERVICE_UNAVAILABLE when the store fails; nothing is left then; try again
 */
export async function exportEndUser(dataRequestId: string, now = new Date()): Promise<void> {
  const request = await claimDataRequest(dataRequestId, "export");
  if (request) await unlessErased(request.accountId, () => exportClaimed(request, now));
}

async function exportClaimed(request: ClaimedDataRequest, now: Date): Promise<void> {
  const { projectId, endUserId } = request;
  const exportedAt = now.toISOString();
  const { draft, counts } = await writeExport(request, {
    name: `end-user-export-${exportedAt.slice(0, 10)}.jsonl`,
    head: { format: "end-user-export", version: 1, projectId, endUserId, exportedAt },
    queries: exportQueries(request),
  });
  try {
    await keepExport(request, draft, counts);
  } catch (error) {
    await discardUpload(draft).catch(() => {});
    throw error;
  }
}

/** Only while the request is open: a second attempt that comes late, or an erasure meanwhile, leaves no file. */
async function keepExport(
  request: ClaimedDataRequest,
  draft: UploadDraft,
  counts: Record<string, number>,
): Promise<void> {
  const isKept = await inTransaction(async (tx) => {
    const fileId = newId("file");
    const { rowCount } = await tx.query(
      `UPDATE data_requests SET state = 'completed', completed_at = now(), file_id = $2, counts = $3
       WHERE id = $1 AND state = 'running' AND subject IS NOT NULL`,
      [request.id, fileId, JSON.stringify(counts)],
    );
    if (rowCount !== 1) return false;
    await keepExportFile(tx, draft, { fileId, owner: request, purpose: "export", endUserId: request.endUserId });
    return true;
  });
  if (!isKept) await discardUpload(draft);
}

function* exportQueries({ projectId, endUserId }: ClaimedDataRequest): Generator<ExportQuery> {
  for (const { table, ofEndUser = [], exportWithout } of PERSONAL_DATA) {
    if (!exportWithout || ofEndUser.length === 0) continue;
    const where = ofEndUser.map((condition) => `(${condition})`).join(" OR ");
    const text = `SELECT (${rowAsJson(table)}) - $3::text[] AS row FROM ${table} t WHERE ${where}`;
    yield { table, text, values: [projectId, endUserId, exportWithout] };
  }
}
