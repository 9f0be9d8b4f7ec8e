import type { Prisma } from "@/lib/db/generated/client";

/**
 * Holds the open deliveries of a receiver until the caller's transaction ends, before it changes them: by id, and before their
 * attempts and their receiver. Whoever holds several takes them in this order (those who claim attempts, record what came of
 * them, send again or remove sessions): else two could wait for each other.
 */
export async function lockOpenDeliveries(
  tx: Prisma.TransactionClient,
  { projectId, registrationId }: { projectId: string; registrationId: string },
): Promise<void> {
  await tx.$queryRaw`
    SELECT count(*) FROM (
      SELECT FROM webhook_deliveries
      WHERE registration_id = ${registrationId} AND project_id = ${projectId} AND status IN ('pending', 'held')
      ORDER BY id FOR NO KEY UPDATE
    ) d`;
}
