import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { resendDelivery } from "@/lib/services/deliveries/resend-delivery";
import { assertStillStaffWithin } from "@/lib/services/staff/assert-still-staff";

/**
 * For staff: sends a delivery of any account again, with the reason in the audit log of that account.
 * @returns the new round
 * @throws AppError NOT_FOUND, also when their session has ended; VALIDATION_FAILED when its receiver is switched off, failed or deleted
 */
export async function resendForAccount(
  actor: Actor,
  { deliveryId, reason }: { deliveryId: string; reason: string },
): Promise<{ round: number }> {
  const owner = await prisma().webhookDelivery.findUnique({
    where: { id: deliveryId },
    select: { accountId: true, projectId: true, status: true, round: true },
  });
  if (!owner) throw notFound("The delivery");
  const { accountId, status, round: before } = owner;
  return resendDelivery(owner, deliveryId, async (tx, round) => {
    await assertStillStaffWithin(tx, actor);
    await writeAudit(tx, actor, {
      accountId,
      action: "delivery.resend",
      subject: deliveryId,
      reason,
      before: { status, round: before },
      after: { status: "pending", round },
    });
  });
}
