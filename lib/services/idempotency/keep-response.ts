import { db, type Queryable, type Transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { sealSecret } from "@/lib/services/people/sealed-secret";

/**
 * Keeps what a keyed call is answered, for whoever sends it again. In the transaction of what the call starts: the two
 * are there together or not at all, so that a crash in between cannot make a second start.
 * @throws AppError IDEMPOTENCY_IN_PROGRESS when another call has the key by now; roll back
 */
export async function keepResponse(tx: Transaction, claim: IdempotencyClaim, response: unknown): Promise<void> {
  claim.isKept = await writeResponse(tx, claim, response);
  if (claim.isKept) return;
  throw new AppError("IDEMPOTENCY_IN_PROGRESS", "Another call with this Idempotency-Key is running. Send it again.", {
    param: "Idempotency-Key",
    retryAfterSeconds: 1,
  });
}

/** Keeps the answer of a call that has ended, unless that was done in its transaction. */
export async function keepResponseAfterwards(claim: IdempotencyClaim, response: unknown): Promise<void> {
  if (!claim.isKept) await writeResponse(db(), claim, response);
}

async function writeResponse(
  on: Queryable | Transaction,
  { projectId, key, requestId, status, sessionId }: IdempotencyClaim,
  response: unknown,
): Promise<boolean> {
  const sealed = sealSecret(JSON.stringify(response));
  const { rowCount } = await (on as Queryable).query({
    name: "keep-idempotent-response",
    text: `UPDATE idempotency_keys SET state = 'done', status = $4, response = to_jsonb($5::text),
             end_user_id = coalesce(end_user_id,
               (SELECT s.end_user_id FROM sessions s WHERE s.id = $6 AND s.project_id = $1))
           WHERE project_id = $1 AND key = $2 AND owner = $3 AND state = 'running'`,
    values: [projectId, key, requestId, status, sealed, sessionId],
  });
  return rowCount === 1;
}
