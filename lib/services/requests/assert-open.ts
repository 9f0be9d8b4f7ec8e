import type { Prisma } from "@/lib/db/generated/client";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { notFound } from "@/lib/domain/errors";
import { outcomeOf } from "@/lib/services/requests/too-late";

/**
 * Holds a request of an account that whoever gives something saw open, until the transaction ends: it is answered once,
 * however many look at it.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it was answered or taken back since
 */
export async function assertOpen(
  tx: Prisma.TransactionClient,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<void> {
  const [request] = await tx.$queryRaw<{ state: string }[]>`
    SELECT state FROM account_requests WHERE id = ${requestId} AND account_id = ${accountId} FOR UPDATE`;
  if (!request) throw notFound("The request");
  if (request.state !== "open") throw changedMeanwhile(`what was asked for was ${outcomeOf(request.state)}`, "dialog");
}
