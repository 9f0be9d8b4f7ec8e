import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { notFound } from "@/lib/domain/errors";
import type { Within } from "@/lib/services/requests/grant-requests";
import { outcomeOf } from "@/lib/services/requests/too-late";

/** A request of an account that somebody saw open. */
interface SeenRequest {
  accountId: string;
  requestId: string;
}

/**
 * Holds a request that whoever gives something saw open, until the transaction ends: it is answered once, however many look
 * at it.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it was answered or taken back since
 */
export async function assertOpen(within: Within, seen: SeenRequest): Promise<void> {
  const state = await holdRequest(within, seen);
  if (state !== "open") throw changedMeanwhile(`what was asked for was ${outcomeOf(state)}`, "dialog");
}

/**
 * The same for who says it in other words.
 * @returns how the request stands
 * @throws AppError NOT_FOUND
 */
export async function holdRequest({ rows }: Within, { accountId, requestId }: SeenRequest): Promise<string> {
  const [request] = await rows<{ state: string }>(
    "SELECT state FROM account_requests WHERE id = $1 AND account_id = $2 FOR UPDATE",
    [requestId, accountId],
  );
  if (!request) throw notFound("The request");
  return request.state;
}
