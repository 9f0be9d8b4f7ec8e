import { z } from "zod";
import type { Prisma } from "@/lib/db/generated/client";
import { ALERT_MAIL_TOPICS, type AlertMailTopic, chosenTopics } from "@/lib/domain/alert-mails";
import { isRole } from "@/lib/domain/panel-actions";

/** As it stands in the database. A build that knows more topics may have written more. */
const alertMails = z.partialRecord(z.string(), z.boolean()).catch({});

/** The topics that a person of a team is mailed of: what they chose, else what their role is told. */
export function topicsOf(member: { role: string; alertMails: Prisma.JsonValue }): AlertMailTopic[] {
  return isRole(member.role) ? chosenTopics(member.role, alertMails.parse(member.alertMails)) : [];
}

/** What of a choice has to be kept: where it differs from what the role is told, so that another role brings its own. */
export function choicesOf(role: string, topics: readonly AlertMailTopic[]): Partial<Record<AlertMailTopic, boolean>> {
  const byRole = topicsOf({ role, alertMails: {} });
  const differs = ALERT_MAIL_TOPICS.filter((topic) => topics.includes(topic) !== byRole.includes(topic));
  return Object.fromEntries(differs.map((topic) => [topic, topics.includes(topic)]));
}

/**
 * Who of an account is mailed of which topics, by their addresses; those whose sign-in is off have no use for it. Null: it was
 * erased, and an alert that was raised meanwhile goes a moment later.
 */
export async function alertReaders(
  tx: Prisma.TransactionClient,
  accountId: string,
): Promise<{ companyName: string; readers: { email: string; topics: AlertMailTopic[] }[] } | null> {
  const account = await tx.account.findUnique({
    where: { id: accountId },
    select: {
      companyName: true,
      members: {
        where: { user: { disabledAt: null } },
        select: { role: true, alertMails: true, user: { select: { email: true } } },
      },
    },
  });
  return (
    account && {
      companyName: account.companyName,
      readers: account.members.map((member) => ({ email: member.user.email, topics: topicsOf(member) })),
    }
  );
}
