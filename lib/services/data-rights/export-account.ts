import { inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { type ClaimedAccountExport, claimAccountExport } from "@/lib/services/data-rights/account-export-state";
import { ACCOUNT_EXPORT } from "@/lib/services/data-rights/account-export-tables";
import { unlessErased } from "@/lib/services/data-rights/erasure-stands";
import { keepExportFile } from "@/lib/services/data-rights/keep-export-file";
import { tellExportEnded } from "@/lib/services/data-rights/tell-export-ended";
import { type ExportQuery, rowAsJson, writeExport } from "@/lib/services/data-rights/write-export";
import { discardUpload } from "@/lib/services/files/discard-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/**
 * Writes all that an account has, and no secret, into a file of JSON lines, as of one moment: in the form of an end user's
 * export. It is kept for seven days and reached by the account's owners alone. Uploaded and made files are in it by
 * their addresses.
 * @throws AppError SERVICE_UNAVAILABLE when the store fails; nothing is left then; try again
 */
export async function exportAccount(exportId: string, now = new Date()): Promise<void> {
  const claimed = await claimAccountExport(exportId);
  if (claimed) await unlessErased(claimed.accountId, () => exportClaimed(claimed, now));
}

async function exportClaimed(claimed: ClaimedAccountExport, now: Date): Promise<void> {
  const { accountId } = claimed;
  const exportedAt = now.toISOString();
  const { draft, counts } = await writeExport(claimed, {
    name: `account-export-${exportedAt.slice(0, 10)}.jsonl`,
    head: { format: "account-export", version: 1, accountId, exportedAt },
    queries: exportQueries(accountId),
  });
  try {
    await keepExport(claimed, draft, counts);
  } catch (error) {
    await discardUpload(draft).catch(() => {});
    throw error;
  }
}

/** Only while it is open: a second attempt that comes late, or an erasure meanwhile, leaves no file. */
async function keepExport(
  { id, accountId, projectId, startedAt }: ClaimedAccountExport,
  draft: UploadDraft,
  counts: Record<string, number>,
): Promise<void> {
  const isKept = await inTransaction(async (tx) => {
    const fileId = newId("file");
    const { rowCount } = await tx.query(
      `UPDATE account_exports SET state = 'completed', completed_at = now(), file_id = $2, counts = $3
       WHERE id = $1 AND state = 'running' AND started_at = $4`,
      [id, fileId, JSON.stringify(counts), startedAt],
    );
    if (rowCount !== 1) return false;
    const owner = { accountId, projectId };
    await keepExportFile(tx, draft, { fileId, owner, purpose: "account-export", endUserId: null });
    await tellExportEnded(tx, id, "completed");
    return true;
  });
  if (isKept) wakeRelay();
  else await discardUpload(draft);
}

function* exportQueries(accountId: string): Generator<ExportQuery> {
  for (const { table, where, without, row = rowAsJson(table) } of ACCOUNT_EXPORT) {
    const text = `SELECT (${row}) - $2::text[] AS row FROM ${table} t WHERE ${where}`;
    yield { table, text, values: [accountId, without] };
  }
}
