import { prisma, withinPrisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { AccountPlan } from "@/lib/services/accounts/set-plan";
import { assertNoOtherGrant } from "@/lib/services/credits/assert-no-other-grant";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";

/**
 * Takes credits from an account, e.g. after a grant by mistake. What open turns were promised stays theirs.
 * @param input.amount whole credits, 1 or more
 * @param input.began as of `assertNoOtherGrant`
 * @throws AppError NOT_FOUND, VALIDATION_FAILED, also when the account has fewer that are free, and when somebody else gave or
 *   took credits since
 */
export async function withdrawCredits(
  actor: Actor,
  input: { accountId: string; amount: number; reason: string; began?: string | null },
  idempotency?: IdempotencyClaim,
): Promise<AccountPlan> {
  const { accountId, amount, began } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  if (!Number.isInteger(amount) || amount < 1) throw invalidField("amount", "must be a whole number of 1 or more");
  return prisma().$transaction(async (tx) => {
    const before = await lockAccount(tx, accountId);
    await assertStillStaff(tx, actor);
    await assertNoOtherGrant(tx, actor, { accountId, began });
    const free = before.creditBalance - before.creditReserved;
    if (amount > free) throw invalidField("amount", `must be at most ${free}: no more is there that is not reserved`);
    const { creditBalance } = await tx.account.update({
      where: { id: accountId },
      data: { creditBalance: { decrement: amount } },
    });
    await tx.ledgerEntry.create({
      data: {
        id: newId("ledger"),
        accountId,
        kind: "adjustment",
        amount: -amount,
        balanceAfter: creditBalance,
        reason,
        createdById: actor.userId ?? null,
      },
    });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.withdraw-credits",
      subject: accountId,
      reason,
      before: { credits: before.creditBalance },
      after: { credits: creditBalance },
    });
    const answer = { accountId, plan: before.planId, credits: creditBalance };
    if (idempotency) await keepResponse(withinPrisma(tx), idempotency, answer);
    return answer;
  });
}
