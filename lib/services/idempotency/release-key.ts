import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "@/lib/db/failures";
import { db } from "@/lib/db/pool";
import { log } from "@/lib/log";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";

/** Together shorter than a key is held. */
const RELEASE_AGAIN_MS = [100, 400, 1_500, 5_000, 15_000, 30_000];

/**
 * Gives the key of a refused call back; what is kept stays. The connection that broke under the call is seldom the only one: while
 * the database is away this is tried again, beside the answer, or the call could not be sent again until its lease runs out.
 */
export async function releaseKey(claim: IdempotencyClaim): Promise<void> {
  try {
    await deleteRunning(claim);
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    void releaseLater(claim);
  }
}

async function releaseLater(claim: IdempotencyClaim): Promise<void> {
  let failure: unknown;
  for (const wait of RELEASE_AGAIN_MS) {
    await delay(wait, undefined, { ref: false });
    try {
      return await deleteRunning(claim);
    } catch (error) {
      failure = error;
    }
  }
  log("warn", "An idempotency key was not given back.", { requestId: claim.requestId }, failure);
}

async function deleteRunning({ projectId, key, requestId }: IdempotencyClaim): Promise<void> {
  await db().query({
    name: "release-idempotency-key",
    text: "DELETE FROM idempotency_keys WHERE project_id = $1 AND key = $2 AND owner = $3 AND state = 'running'",
    values: [projectId, key, requestId],
  });
}
