import { db } from "@/lib/db/pool";

const BATCH_SIZE = 5_000;

/**
 * Removes keys that are older than they are kept (24 h). Safe beside calls that take the same key anew, and beside
 * other sweeps.
 * @returns how many were removed
 */
export async function sweepIdempotency(): Promise<number> {
  for (let removed = 0; ; ) {
    const { rowCount } = await db().query(
      `DELETE FROM idempotency_keys WHERE (project_id, key) IN (
         SELECT project_id, key FROM idempotency_keys WHERE expires_at <= now()
         LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
    );
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH_SIZE) return removed;
  }
}
