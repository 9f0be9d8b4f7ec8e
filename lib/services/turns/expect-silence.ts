import { db, type Queryable } from "@/lib/db/pool";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";

/** A condition on open `turns`: it waits for a limit of the model's provider to pass, was refused for it or is held for its pace. */
export const WAITS_FOR_LIMIT = "(status = 'queued' OR limited_tries > 0) AND heartbeat_at > now()";

/**
 * While a retry or a video waits, no sign of life is due: the sweep must not take the turn for lost.
 * @param isLimited whether it follows a try that a provider's limit refused
 * @returns whether the turn is still this worker's
 */
export async function expectSilence(
  { turnId, generation }: Pick<ClaimedTurn, "turnId" | "generation">,
  seconds: number,
  queryable: Queryable = db(),
  isLimited = false,
): Promise<boolean> {
  const { rowCount } = await queryable.query(
    `UPDATE turns SET heartbeat_at = greatest(heartbeat_at, now() + make_interval(secs => $3)),
                      limited_tries = limited_tries + $4
     WHERE id = $1 AND generation = $2 AND status = 'running'`,
    [turnId, generation, seconds, isLimited ? 1 : 0],
  );
  return rowCount === 1;
}
