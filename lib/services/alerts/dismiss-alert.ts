import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

/**
 * Takes an alert from the sight of everybody of the account; a second time changes nothing.
 * @throws AppError NOT_FOUND
 */
export async function dismissAlert(
  actor: Actor,
  { accountId }: Pick<Principal, "accountId">,
  id: string,
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const [alert] = await tx.alert.updateManyAndReturn({
      where: { id, accountId, dismissedAt: null },
      data: { dismissedAt: new Date() },
      select: { kind: true, subjectId: true },
    });
    if (alert) {
      await recordAudit(tx, actor, { accountId, action: "alert.dismiss", subject: id, after: alert });
    } else if ((await tx.alert.count({ where: { id, accountId } })) === 0) throw notFound("The alert");
  });
}
