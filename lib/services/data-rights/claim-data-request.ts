import type { DataRequestKind } from "@/lib/contracts/end-users";
import { db } from "@/lib/db/pool";

/** A request that is being worked on. */
export interface ClaimedDataRequest {
  id: string;
  accountId: string;
  projectId: string;
  endUserId: string;
  /** When work on it first began, by the database's clock; further attempts keep it. */
  startedAt: Date;
}

/** Marks a request as being worked on; null when it has ended. Safe to call at each attempt. */
export async function claimDataRequest(id: string, kind: DataRequestKind): Promise<ClaimedDataRequest | null> {
  const { rows } = await db().query<ClaimedDataRequest>(
    `UPDATE data_requests SET state = 'running', started_at = coalesce(started_at, now())
     WHERE id = $1 AND kind = $2 AND state IN ('queued', 'running') AND subject IS NOT NULL
     RETURNING id, account_id AS "accountId", project_id AS "projectId", subject AS "endUserId", started_at AS "startedAt"`,
    [id, kind],
  );
  return rows[0] ?? null;
}

/**
 * Marks an export as failed, when every attempt at it did; it can be asked for again. An erasure is none before it is done: it
 * stands, and is begun anew by the sweep.
 */
export async function failDataRequest(id: string): Promise<void> {
  await db().query(
    `UPDATE data_requests SET state = 'failed', completed_at = now()
     WHERE id = $1 AND kind = 'export' AND state IN ('queued', 'running')`,
    [id],
  );
}
