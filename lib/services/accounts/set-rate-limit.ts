import { prisma } from "@/lib/db/prisma";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { invalidField } from "@/lib/domain/errors";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertRateLimit } from "@/lib/services/accounts/set-plan";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";

/**
 * Gives an account a rate limit of its own, or takes it away; it counts from the next call on. One that is so already is left
 * alone, without a line in the audit log.
 * @param input.rateLimitPerMinute requests per key and minute; null: the plan's
 * @param input.began what whoever sets it saw; absent (tests): whatever it has
 * @throws AppError NOT_FOUND; VALIDATION_FAILED, also when somebody else set it since
 */
export async function setRateLimit(
  actor: Actor,
  input: { accountId: string; rateLimitPerMinute: number | null; began?: number | null; reason: string },
): Promise<void> {
  const { accountId, rateLimitPerMinute, began } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  assertRateLimit(rateLimitPerMinute ?? undefined);
  await prisma().$transaction(async (tx) => {
    const before = await lockAccount(tx, accountId);
    await assertStillStaff(tx, actor);
    if (before.rateLimitPerMinute === rateLimitPerMinute) return;
    if (began !== undefined && before.rateLimitPerMinute !== began) {
      throw changedMeanwhile(`the limit was set to ${before.rateLimitPerMinute ?? "the plan's"}`, "dialog");
    }
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
