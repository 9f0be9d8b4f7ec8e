import type { Prisma } from "@/lib/db/generated/client";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { countWords } from "@/lib/domain/count-words";
import type { Actor } from "@/lib/services/accounts/record-audit";

/**
 * For whoever gives an account credits or takes some, with the account locked: two who look at it at once would else both give
 * what was paid for, or both take what was given by mistake. What they did themselves they know.
 * @param began the line of the ledger by which credits were given or taken last, as they saw it, null: none; absent (operators,
 *   tests): whichever it is
 * @throws AppError VALIDATION_FAILED when somebody else gave or took some since
 */
export async function assertNoOtherGrant(
  tx: Prisma.TransactionClient,
  { userId = "" }: Actor,
  { accountId, began }: { accountId: string; began?: string | null | undefined },
): Promise<void> {
  if (began === undefined) return;
  const [other] = await tx.$queryRaw<{ amount: number }[]>`
    SELECT l.amount FROM ledger_entries l
    WHERE l.account_id = ${accountId} AND l.kind <> 'charge' AND l.created_by_id IS DISTINCT FROM ${userId}
      AND (${began}::text IS NULL OR (l.created_at, l.id) >
        (SELECT b.created_at, b.id FROM ledger_entries b WHERE b.id = ${began} AND b.account_id = ${accountId}))
    ORDER BY l.created_at DESC, l.id DESC LIMIT 1`;
  if (!other) return;
  const credits = countWords(Math.abs(other.amount), "credit");
  const what = other.amount > 0 ? `the account was given ${credits}` : `the account had ${credits} withdrawn`;
  throw changedMeanwhile(what, "dialog");
}
