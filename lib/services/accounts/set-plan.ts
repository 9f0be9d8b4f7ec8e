import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import type { PlanId } from "@/lib/domain/plans";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

const MAX_REQUESTS_PER_MINUTE = 1_000_000;

/** An account's plan and its balance in credits. */
export interface AccountPlan {
  accountId: string;
  plan: string;
  credits: number;
}

/**
 * Moves an account to a plan and, when given, sets its own rate limit (requests per key and minute).
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
export async function setPlan(
  actor: Actor,
  input: { accountId: string; planId: PlanId; rateLimitPerMinute?: number; reason?: string },
): Promise<AccountPlan> {
  const { accountId, planId, rateLimitPerMinute } = input;
  assertRateLimit(rateLimitPerMinute);
  return prisma().$transaction(async (tx) => {
    const before = await lockAccount(tx, accountId);
    const after = await tx.account.update({
      where: { id: accountId },
      data: { planId, ...(rateLimitPerMinute === undefined ? {} : { rateLimitPerMinute }) },
    });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.set-plan",
      subject: accountId,
      ...(input.reason !== undefined && { reason: input.reason }),
      before: { planId: before.planId, rateLimitPerMinute: before.rateLimitPerMinute },
      after: { planId: after.planId, rateLimitPerMinute: after.rateLimitPerMinute },
    });
    return { accountId, plan: after.planId, credits: after.creditBalance };
  });
}

/** @throws AppError VALIDATION_FAILED unless it is absent or a whole number of requests per minute */
export function assertRateLimit(perMinute: number | undefined): void {
  if (perMinute === undefined) return;
  if (!Number.isInteger(perMinute) || perMinute < 1 || perMinute > MAX_REQUESTS_PER_MINUTE) {
    throw invalidField("rate-limit", `must be a whole number from 1 to ${MAX_REQUESTS_PER_MINUTE}`);
  }
}
