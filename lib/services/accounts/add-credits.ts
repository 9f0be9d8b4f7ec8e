import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { grantCredits } from "@/lib/services/accounts/grant-credits";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { AccountPlan } from "@/lib/services/accounts/set-plan";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/**
 * Gives an account credits.
 * @param input.amount whole credits, 1 or more
 * @param within the caller's transaction, after which the caller wakes the relay; absent: one of its own
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
export async function addCredits(
  actor: Actor,
  input: { accountId: string; amount: number; reason: string },
  within?: Prisma.TransactionClient,
): Promise<AccountPlan> {
  const { accountId, amount } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  const add = async (tx: Prisma.TransactionClient): Promise<AccountPlan> => {
    const before = await lockAccount(tx, accountId);
    const credits = await grantCredits(tx, actor, { accountId, amount, reason });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.add-credits",
      subject: accountId,
      reason,
      before: { credits: before.creditBalance },
      after: { credits },
    });
    return { accountId, plan: before.planId, credits };
  };
  if (within) return add(within);
  const plan = await prisma().$transaction(add);
  wakeRelay();
  return plan;
}
