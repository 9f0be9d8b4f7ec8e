import type { Transaction } from "@/lib/db/pool";
import type { ClaimedDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { addCounts } from "@/lib/services/data-rights/data-request-row";
import { KEEPS_ITS_KEY } from "@/lib/services/data-rights/personal-table";

/**
 * Erases the idempotency keys of calls, in the transaction that makes their lines of the log nameless: afterwards nobody
 * could tell whose keys they are.
 */
export async function eraseKeys(tx: Transaction, request: ClaimedDataRequest, requestIds: string[]): Promise<void> {
  await erase(tx, request, "SELECT unnest($4::text[])", requestIds);
}

/** Erases the idempotency keys of the turns of sessions, in the transaction that deletes these. */
export async function eraseKeysOfSessions(
  tx: Transaction,
  request: ClaimedDataRequest,
  sessionIds: string[],
): Promise<void> {
  await erase(tx, request, "SELECT u.request_id FROM turns u WHERE u.session_id = ANY($4::text[])", sessionIds);
}

/** @param owners a statement that gives the ids of requests by `ids` as `$4` */
async function erase(
  tx: Transaction,
  { id, projectId, endUserId, startedAt }: ClaimedDataRequest,
  owners: string,
  ids: string[],
): Promise<void> {
  const { rowCount } = await tx.query(
    `DELETE FROM idempotency_keys t WHERE t.project_id = $1 AND t.owner IN (${owners}) AND NOT ${KEEPS_ITS_KEY}`,
    [projectId, endUserId, startedAt, ids],
  );
  if (rowCount) await addCounts(tx, id, { idempotency_keys: rowCount });
}
