import { prisma } from "@/lib/db/prisma";
import { invalidField, notFound } from "@/lib/domain/errors";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { enqueueMails } from "@/lib/services/mail/enqueue-mail";
import { toldPeople } from "@/lib/services/members/told-people";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { answeredMail } from "@/lib/services/requests/answered-mail";
import { tooLate } from "@/lib/services/requests/too-late";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";

/**
 * Declines what an account asked for, for a member of staff; its people read why in the panel, and owners and admins are told by
 * mail that there is an answer. The same of the same person once more is done already: its answer was lost.
 * @throws AppError NOT_FOUND, also when their session has ended; VALIDATION_FAILED when it is no longer open
 */
export async function declineRequest(
  actor: Actor & { userId: string },
  { requestId, reason }: { requestId: string; reason: string },
): Promise<void> {
  const answer = reason.trim();
  if (!answer) throw invalidField("reason", "must say why");
  await prisma().$transaction(async (tx) => {
    const [declined] = await tx.accountRequest.updateManyAndReturn({
      where: { id: requestId, state: "open" },
      data: { state: "declined", answer, answeredById: actor.userId, answeredAt: new Date() },
    });
    await assertStillStaff(tx, actor);
    if (!declined) {
      const request = await tx.accountRequest.findUnique({ where: { id: requestId } });
      if (!request) throw notFound("The request");
      const isMine = request.state === "declined" && request.answeredById === actor.userId && request.answer === answer;
      if (isMine) return;
      throw tooLate(request.state);
    }
    const { accountId } = declined;
    await recordAudit(tx, actor, { accountId, action: "account.decline-request", subject: requestId, reason: answer });
    if (!isMailConfigured()) return;
    const { companyName, emails } = await toldPeople(tx, accountId);
    await enqueueMails(
      tx,
      emails.map((email) => answeredMail(email, { ...declined, companyName })),
    );
  });
  wakeRelay();
}
