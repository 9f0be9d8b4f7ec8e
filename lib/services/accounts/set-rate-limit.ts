import { prisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertRateLimit } from "@/lib/services/accounts/set-plan";

/**
 * Gives an account a rate limit of its own, or takes it away; it counts from the next call on. One that is so already is left
 * alone, without a line in the audit log.
 * @param input.rateLimitPerMinute requests per key and minute; null: the plan's
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
export async function setRateLimit(
  actor: Actor,
  input: { accountId: string; rateLimitPerMinute: number | null; reason: string },
): Promise<void> {
  const { accountId, rateLimitPerMinute } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  assertRateLimit(rateLimitPerMinute ?? undefined);
  await prisma().$transaction(async (tx) => {
    const before = await lockAccount(tx, accountId);
    if (before.rateLimitPerMinute === rateLimitPerMinute) return;
    await tx.account.update({ where: { id: accountId }, data: { rateLimitPerMinute } });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.set-rate-limit",
      subject: accountId,
      reason,
      before: { rateLimitPerMinute: before.rateLimitPerMinute },
      after: { rateLimitPerMinute },
    });
  });
}
