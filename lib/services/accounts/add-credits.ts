import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { grantCredits } from "@/lib/services/accounts/grant-credits";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { AccountPlan } from "@/lib/services/accounts/set-plan";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

interface CreditsToAdd {
  accountId: string;
  /** Whole credits, 1 or more. */
  amount: number;
  reason: string;
  /** Gives nothing where the account was given as many for that very reason before. */
  isOnce?: boolean;
}

/**
 * Gives an account credits.
 * @param within the caller's transaction, after which the caller wakes the relay; absent: one of its own
 * @throws AppError NOT_FOUND; VALIDATION_FAILED, also when the account was given another number for what is given once
 */
export async function addCredits(
  actor: Actor,
  input: CreditsToAdd,
  within?: Prisma.TransactionClient,
): Promise<AccountPlan> {
  const { accountId, amount, isOnce = false } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  const add = async (tx: Prisma.TransactionClient): Promise<AccountPlan> => {
    const before = await lockAccount(tx, accountId);
    const answer = { accountId, plan: before.planId };
    if (isOnce && (await isGiven(tx, { accountId, amount, reason })))
      return { ...answer, credits: before.creditBalance };
    const credits = await grantCredits(tx, actor, { accountId, amount, reason });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.add-credits",
      subject: accountId,
      reason,
      before: { credits: before.creditBalance },
      after: { credits },
    });
    return { ...answer, credits };
  };
  if (within) return add(within);
  const plan = await prisma().$transaction(add);
  wakeRelay();
  return plan;
}

/** With the account locked: whoever sends the same once more, because the answer was lost, waits for the first. */
async function isGiven(
  tx: Prisma.TransactionClient,
  { accountId, amount, reason }: Omit<CreditsToAdd, "isOnce">,
): Promise<boolean> {
  const where = { accountId, kind: "grant", reason };
  const given = await tx.ledgerEntry.findFirst({ where, select: { amount: true } });
  if (given && given.amount !== amount) {
    throw invalidField("amount", `must be ${given.amount}: so many were given for this reason already`);
  }
  return given !== null;
}
