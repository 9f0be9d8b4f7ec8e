import { db, inTransaction } from "@/lib/db/pool";
import { writeAudit } from "@/lib/services/accounts/record-audit";
import { beginErasure, ERASURE_BEGUN } from "@/lib/services/data-rights/begin-erasure";
import { eraseRows } from "@/lib/services/data-rights/erase-rows";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";
import { NAMELESS_FILE, removeFiles } from "@/lib/services/files/remove-files";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

/** By these lines the sweep, and staff, know an erasure that was interrupted: they go with the account's row, and not before. */
const REQUEST = `t.account_id = $1 AND t.action IN ('account.request-erasure', '${ERASURE_BEGUN}')`;

/**
 * Erases an account from every table and store. What remains is one line of the audit log without a person in it. Safe to
 * run again: after an interruption, and some time later for what was being written meanwhile. An account that is there and
 * whose erasure nobody asks for any more is left alone: staff may have restored it before the queue came to it.
 * @throws AppError SERVICE_UNAVAILABLE when a file store fails; try again
 */
export async function eraseAccount(accountId: string): Promise<void> {
  if (!(await beginErasure(accountId))) return;
  await cancelOpenTurns(accountId);
  for (const { table, ofAccount } of PERSONAL_DATA) {
    // A store that fails ends it here: a file that cannot be removed keeps the account's row and its projects, and nobody's words.
    if (table === "projects") await eraseFiles(accountId);
    if (table === "accounts") {
      await eraseAccountRow(accountId);
      continue;
    }
    for (const condition of [ofAccount].flat()) {
      if (!/[$]1/.test(condition)) continue;
      const where = table === "audit_log" ? `(${condition}) AND NOT (${REQUEST})` : `(${condition})`;
      await eraseRows({ table, where, values: [accountId] });
    }
  }
}

async function cancelOpenTurns(accountId: string): Promise<void> {
  const { rows } = await db().query<{ id: string }>(
    "SELECT id FROM sessions WHERE project_id IN (SELECT id FROM projects WHERE account_id = $1) AND open_turns > 0",
    [accountId],
  );
  for (const { id } of rows) await cancelTurns(id);
}

async function eraseFiles(accountId: string): Promise<void> {
  const values = [accountId];
  const where = "t.account_id = $1 AND (t.name <> '' OR t.deleted_at IS NULL)";
  await eraseRows({ table: "stored_files", where, set: NAMELESS_FILE, values });
  try {
    await eraseUploads(accountId);
  } finally {
    // Also when a store failed: it keeps no file of another.
    await removeFiles({ where: "f.account_id = $1", values });
  }
}

/**
 * Removes what was uploaded and not used. Bytes may still be on their way, and a client may have the right to send more: the
 * rows stay, without a name, for the sweep of abandoned uploads.
 */
async function eraseUploads(accountId: string): Promise<void> {
  const { rows } = await db().query<UploadPlace>(
    `SELECT storage_key AS "storageKey", store FROM pending_uploads
     WHERE project_id IN (SELECT id FROM projects WHERE account_id = $1)`,
    [accountId],
  );
  const removal = new BytesRemoval();
  const gone = await removal.remove(rows);
  const keys = gone.map(({ storageKey }) => storageKey);
  await db().query("UPDATE pending_uploads SET project_id = '' WHERE storage_key = ANY ($1)", [keys]);
  removal.throwFailure();
}

async function eraseAccountRow(accountId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const { rowCount } = await tx.query("DELETE FROM accounts WHERE id = $1", [accountId]);
    if (rowCount === 0) return;
    // The guard of the audit log lets erasures through that say so, and nothing else.
    await tx.query("SET LOCAL service.erasing = 'on'");
    await tx.query(`DELETE FROM audit_log t WHERE ${REQUEST}`, [accountId]);
    await writeAudit(tx, { kind: "owner" }, { accountId: null, action: "account.erase", subject: accountId });
  });
}
