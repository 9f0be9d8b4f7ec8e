import type { DeliveryStatus } from "@/lib/contracts/deliveries";
import type { StaffDeliveryDetail } from "@/lib/contracts/staff";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { ATTEMPT_SUMMARY, toAttemptSummary } from "@/lib/services/deliveries/delivery-record";

/**
 * For staff: one delivery of any account with how each attempt went, without what was said either way.
 * @throws AppError NOT_FOUND
 */
export async function getStaffDelivery(id: string): Promise<StaffDeliveryDetail> {
  if (!isId("delivery", id)) throw notFound("The delivery");
  const found = await prisma().webhookDelivery.findUnique({
    where: { id },
    omit: { body: true },
    include: { attempts: { orderBy: [{ round: "asc" }, { number: "asc" }], select: ATTEMPT_SUMMARY } },
  });
  if (!found) throw notFound("The delivery");
  const account = await prisma().account.findUnique({
    where: { id: found.accountId },
    select: { companyName: true },
  });
  const last = found.attempts.at(-1);
  return {
    id,
    deliveryUuid: found.deliveryUuid,
    accountId: found.accountId,
    companyName: account?.companyName ?? null,
    projectId: found.projectId,
    webhookId: found.registrationId,
    sessionId: found.sessionId,
    host: new URL(found.url).host,
    event: found.event,
    status: found.status as DeliveryStatus,
    isTest: found.isTest,
    round: found.round,
    attemptCount: found.attemptCount,
    lastResponseStatus: last?.responseStatus ?? null,
    lastError: last?.error ?? null,
    nextAttemptAt: found.nextAttemptAt?.toISOString() ?? null,
    createdAt: found.createdAt.toISOString(),
    deliveredAt: found.deliveredAt?.toISOString() ?? null,
    attempts: found.attempts.map(toAttemptSummary),
  };
}
