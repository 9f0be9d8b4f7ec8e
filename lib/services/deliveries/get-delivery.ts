import type { DeliveryDetail } from "@/lib/contracts/deliveries";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { toAttemptRecord, toDeliveryRecord } from "@/lib/services/deliveries/delivery-record";

/**
 * One delivery of the project in full.
 * @throws AppError NOT_FOUND
 */
export async function getDelivery(
  { accountId, projectId }: Pick<Principal, "accountId" | "projectId">,
  id: string,
): Promise<DeliveryDetail> {
  if (!isId("delivery", id)) throw notFound("The delivery");
  const found = await prisma().webhookDelivery.findFirst({
    where: { id, accountId, projectId },
    include: { attempts: { orderBy: [{ round: "asc" }, { number: "asc" }] } },
  });
  if (!found) throw notFound("The delivery");
  const { attempts, ...row } = found;
  const turn =
    row.turnId === null
      ? null
      : await prisma().turn.findFirst({ where: { id: row.turnId, projectId }, select: { requestId: true } });
  return {
    ...toDeliveryRecord(row, attempts.map(toAttemptRecord)),
    body: row.body,
    requestId: turn?.requestId ?? null,
  };
}
