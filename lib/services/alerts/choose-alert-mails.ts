import type { AlertMailsInput } from "@/lib/contracts/alert-mails";
import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import { prisma } from "@/lib/db/prisma";
import { ALERT_MAIL_TOPICS, type AlertMailTopic } from "@/lib/domain/alert-mails";
import { notFound } from "@/lib/domain/errors";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { choicesOf, topicsOf } from "@/lib/services/alerts/alert-readers";

/** A person in one of their accounts. */
interface MemberKey {
  accountId: string;
  userId: string;
}

/**
 * What the person is mailed of, of this account.
 * @throws AppError NOT_FOUND when they are not of its team (any more)
 */
export async function alertMailsOf(key: MemberKey): Promise<AlertMailsInput> {
  const member = await prisma().member.findUnique({ where: { accountId_userId: key } });
  if (!member) throw notFound("The member");
  return { topics: topicsOf(member) };
}

/**
 * Sets what the person is mailed of, of this account, unless that is no longer what the form began with. Every role may: it is
 * what they see in the panel anyway.
 * @throws AppError NOT_FOUND when they are not of its team (any more)
 */
export async function chooseAlertMails(
  actor: Actor,
  key: MemberKey,
  { began, ...input }: SaveInput<AlertMailsInput>,
): Promise<SaveResult<AlertMailsInput>> {
  return prisma().$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT 1 FROM members WHERE account_id = ${key.accountId} AND user_id = ${key.userId} FOR NO KEY UPDATE`;
    const member = await tx.member.findUnique({ where: { accountId_userId: key } });
    if (!member) throw notFound("The member");
    const before = topicsOf(member);
    const after = inOrder(input.topics);
    if (isSame(before, after)) return { outcome: "saved", saved: { topics: before } };
    if (!isSame(before, inOrder(began.topics))) return { outcome: "conflict", current: { topics: before } };
    const alertMails = choicesOf(member.role, after);
    await tx.member.update({ where: { accountId_userId: key }, data: { alertMails } });
    await recordAudit(tx, actor, {
      accountId: key.accountId,
      action: "alert.choose-mails",
      subject: key.userId,
      before: { topics: before },
      after: { topics: after },
    });
    return { outcome: "saved", saved: { topics: after } };
  });
}

function inOrder(topics: readonly AlertMailTopic[]): AlertMailTopic[] {
  return ALERT_MAIL_TOPICS.filter((topic) => topics.includes(topic));
}

function isSame(some: readonly AlertMailTopic[], others: readonly AlertMailTopic[]): boolean {
  return some.join() === others.join();
}
