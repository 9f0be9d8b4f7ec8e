import { enqueueEvents } from "@/lib/db/outbox";
import { db, inTransaction } from "@/lib/db/pool";
import { tellExportEnded } from "@/lib/services/data-rights/tell-export-ended";
import { removeFiles } from "@/lib/services/files/remove-files";
import type { FileOwner } from "@/lib/services/files/store-upload";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** An export that is being worked on. */
export interface ClaimedAccountExport extends FileOwner {
  id: string;
  /** By the database's clock; further attempts keep it, and an erasure has it begin anew. */
  startedAt: Date;
}

/** Where erasures keep breaking one off for so long, the end is told. */
const MOST_HOURS = 12;

/**
 * Whether somebody who would be in an export that is still to be made is just being erased: it would go with them, for the end
 * of an erasure takes along what was made while it lasted.
 */
export async function isErasureUnderWay(id: string): Promise<boolean> {
  const { rowCount } = await db().query(
    `SELECT 1 FROM account_exports e JOIN data_requests d ON d.account_id = e.account_id
     WHERE e.id = $1 AND e.state = 'queued' AND d.kind = 'erase' AND d.state IN ('queued', 'running') LIMIT 1`,
    [id],
  );
  return rowCount === 1;
}

/**
 * Marks an export as being worked on; null when it has ended. Safe to call at each attempt. Files belong to projects: this
 * one's is the account's first.
 */
export async function claimAccountExport(id: string): Promise<ClaimedAccountExport | null> {
  const { rows } = await db().query<ClaimedAccountExport>(
    `UPDATE account_exports e SET state = 'running', started_at = coalesce(e.started_at, now())
     FROM projects p
     WHERE e.id = $1 AND e.state IN ('queued', 'running') AND p.id = (
       SELECT id FROM projects WHERE account_id = e.account_id ORDER BY created_at, id LIMIT 1)
     RETURNING e.id, e.account_id AS "accountId", p.id AS "projectId", e.started_at AS "startedAt"`,
    [id],
  );
  return rows[0] ?? null;
}

/** Marks an export as failed, when every attempt at it did; it can be asked for again. */
export async function failAccountExport(id: string): Promise<void> {
  await failExports("e.id = $1 AND e.state IN ('queued', 'running')", [id]);
}

/**
 * Removes an account's exports, and has one that is being made begin anew: for an erasure of somebody who is in them.
 * @param begunBy leaves those alone that began later; absent: none
 * @throws AppError SERVICE_UNAVAILABLE when a file store fails; try again
 */
export async function dropAccountExports(accountId: string, begunBy: Date | null = null): Promise<void> {
  const values = [accountId, begunBy];
  const hasBegun = "($2::timestamptz IS NULL OR e.started_at <= $2)";
  const isBroken = `e.account_id = $1 AND e.state = 'running' AND ${hasBegun}`;
  await failExports(`${isBroken} AND e.created_at < now() - interval '${MOST_HOURS} hours'`, values);
  await beginAnew(isBroken, values);
  const begun = `$2::timestamptz IS NULL OR f.id IN (SELECT e.file_id FROM account_exports e WHERE e.account_id = $1 AND ${hasBegun})`;
  await removeFiles({ where: `f.account_id = $1 AND f.purpose = 'account-export' AND (${begun})`, values });
}

/** Whoever writes one now finds that it is not theirs any more; the queue looks for what is being erased before it begins. */
async function beginAnew(where: string, values: unknown[]): Promise<void> {
  const count = await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ exportId: string }>(
      `UPDATE account_exports e SET state = 'queued', started_at = NULL WHERE ${where} RETURNING e.id AS "exportId"`,
      values,
    );
    return enqueueEvents(
      tx,
      rows.map((data) => ({ name: "account/export", data })),
    );
  });
  if (count > 0) wakeRelay();
}

/** Whatever ends them, those who asked for them wait for a mail. */
async function failExports(where: string, values: unknown[]): Promise<void> {
  const failed = await inTransaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE account_exports e SET state = 'failed', completed_at = now() WHERE ${where} RETURNING e.id`,
      values,
    );
    for (const { id } of rows) await tellExportEnded(tx, id, "failed");
    return rows.length;
  });
  if (failed > 0) wakeRelay();
}
