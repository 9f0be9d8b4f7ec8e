import { databaseNow } from "@/lib/db/database-now";
import { enqueueEvents } from "@/lib/db/outbox";
import { prisma, withinPrisma } from "@/lib/db/prisma";
import { invalidField } from "@/lib/domain/errors";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { isErasureAskedFor } from "@/lib/services/data-rights/erasure-stands";
import { closeInvitations } from "@/lib/services/members/invitations";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/**
 * Erases an account, for its owner: its keys stop at once and its open invitations are taken back, and everything that
 * belongs to it goes in the background and for good, with the people who belong to no other account. Asked for again before that is done, it is one erasure, told of once.
 * @param input.confirmation the company's name, as the person typed it
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when the name is another
 */
export async function requestAccountErasure(
  actor: Actor,
  input: { accountId: string; confirmation: string },
): Promise<void> {
  const { accountId } = input;
  await prisma().$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "account.erase");
    if (input.confirmation.trim() !== account.companyName) {
      throw invalidField("confirmation", "must be the name of the company");
    }
    if (await isErasureAskedFor(tx, accountId)) return;
    await tx.account.update({ where: { id: accountId }, data: { verificationStatus: "suspended" } });
    await tx.apiKey.updateMany({ where: { accountId, revokedAt: null }, data: { revokedAt: await databaseNow(tx) } });
    await closeInvitations(tx, { accountId });
    await recordAudit(tx, actor, { accountId, action: "account.request-erasure", subject: accountId });
    await tellOwners(tx, actor, accountId, { action: "account.request-erasure" });
    await enqueueEvents(withinPrisma(tx), [{ name: "account/erase", data: { accountId } }]);
  });
  wakeRelay();
}
