import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tooLate } from "@/lib/services/requests/too-late";

/**
 * Takes a request of the account back. One that was taken back already stays so.
 * @throws AppError NOT_FOUND, also when it is another account's; VALIDATION_FAILED when it was answered
 */
export async function withdrawRequest(actor: Actor, accountId: string, requestId: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, accountId, "billing.request");
    const { count } = await tx.accountRequest.updateMany({
      where: { id: requestId, accountId, state: "open" },
      data: { state: "withdrawn", answeredAt: new Date() },
    });
    if (count === 0) {
      const request = await tx.accountRequest.findFirst({ where: { id: requestId, accountId } });
      if (!request) throw notFound("The request");
      if (request.state === "withdrawn") return;
      throw tooLate(request.state);
    }
    await recordAudit(tx, actor, { accountId, action: "account.withdraw-request", subject: requestId });
  });
}
