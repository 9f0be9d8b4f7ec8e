import { isBulk } from "@/lib/domain/turn-priority";
import { laneWithin } from "@/lib/limit-parallel";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";

/** A quote has no call that begins many. */
type LaneTurn = Pick<ClaimedTurn, "accountId"> & Partial<Pick<ClaimedTurn, "endpoint">>;

/**
 * Whose places a turn's files and requests wait for: its account's, of which the files of batches have a lane of their own, so that a
 * single file passes by them here as in the queue (docs/decisions/0051).
 */
export function turnLane({ accountId, endpoint = "" }: LaneTurn): string {
  return isBulk(endpoint) ? laneWithin(accountId, "bulk") : accountId;
}
