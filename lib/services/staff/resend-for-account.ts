import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { resendDelivery } from "@/lib/services/deliveries/resend-delivery";
import { assertStillStaffWithin } from "@/lib/services/staff/assert-still-staff";

/**
 * For staff: sends a delivery of any account again, with the reason in the audit log of that account.
 * @returns the new round
 * @param input.round as they saw it; absent (tests): whichever it is
 * @throws AppError NOT_FOUND, also when their session has ended; VALIDATION_FAILED when its receiver is switched off, failed or
 *   deleted, and when somebody else sent it again since
 */
export async function resendForAccount(
  actor: Actor,
  input: { deliveryId: string; reason: string; round?: number },
): Promise<{ round: number }> {
  const { deliveryId, reason, round: seen } = input;
  const owner = await prisma().webhookDelivery.findUnique({
    where: { id: deliveryId },
    select: { accountId: true, projectId: true },
  });
  if (!owner) throw notFound("The delivery");
  const { accountId } = owner;
  return resendDelivery(owner, deliveryId, {
    seen,
    record: async (tx, round, { status, round: before }) => {
      await assertStillStaffWithin(tx, actor);
      await writeAudit(tx, actor, {
        accountId,
        action: "delivery.resend",
        subject: deliveryId,
        reason,
        before: { status, round: before },
        after: { status: "pending", round },
      });
    },
  });
}
