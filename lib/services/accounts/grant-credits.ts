import type { Prisma } from "@/lib/db/generated/client";
import { invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { grantRequests, withinClient } from "@/lib/services/requests/grant-requests";

/** The column's limit; nobody is given more. */
const MAX_BALANCE_CREDITS = 2_147_483_647;

/**
 * Adds credits and their ledger line in one transaction: the sum of the ledger is the balance, always.
 * They answer what the account asked for; wake the relay after the commit.
 * @param amount whole credits, 1 or more
 * @returns the balance after it
 * @throws AppError VALIDATION_FAILED when the amount is no such number or the balance would overflow
 */
export async function grantCredits(
  tx: Prisma.TransactionClient,
  actor: Actor,
  grant: { accountId: string; amount: number; reason: string },
): Promise<number> {
  if (!Number.isInteger(grant.amount) || grant.amount < 1 || grant.amount > MAX_BALANCE_CREDITS) {
    throw invalidField("amount", `must be a whole number from 1 to ${MAX_BALANCE_CREDITS}`);
  }
  const room = MAX_BALANCE_CREDITS - grant.amount;
  const [account] = await tx.account.updateManyAndReturn({
    where: { id: grant.accountId, creditBalance: { lte: room } },
    data: { creditBalance: { increment: grant.amount } },
    select: { creditBalance: true },
  });
  if (!account) throw invalidField("amount", "would take the balance above what an account can hold");
  await tx.ledgerEntry.create({
    data: {
      id: newId("ledger"),
      accountId: grant.accountId,
      kind: "grant",
      amount: grant.amount,
      balanceAfter: account.creditBalance,
      reason: grant.reason,
      createdById: actor.userId ?? null,
    },
  });
  await grantRequests(withinClient(tx), actor, { accountId: grant.accountId, credits: grant.amount });
  return account.creditBalance;
}
