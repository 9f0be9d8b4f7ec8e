import type { Prisma } from "@/lib/db/generated/client";
import { type Wanted, wantedWords } from "@/lib/domain/wanted-words";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { MailMessage } from "@/lib/mail/send-mail";
import { link, mail, oneLine } from "@/lib/services/mail/compose-mail";
import { enqueueMails } from "@/lib/services/mail/enqueue-mail";
import { countInHour } from "@/lib/services/people/throttle-attempts";

/** What waits for somebody of the staff. */
export type StaffNews =
  | { what: "verification"; accountId: string; companyName: string; dueAt: Date }
  | { what: "credits"; accountId: string; companyName: string; amount: number; by: string }
  | { what: "request"; accountId: string; companyName: string; wanted: Wanted };

/** Of one kind, an hour: on a busy day the list tells the rest. */
const MAX_MAILS = 10;

/**
 * Tells the staff by mail of work that waits for them, in the transaction of what it comes from, at its end: a company waits
 * for its answer or for what it asked for, a grant for somebody else to confirm it. Wake the relay after the commit.
 * @param news.by who asked, by id; they are not told of what others have to decide
 */
export async function tellStaff(tx: Prisma.TransactionClient, news: StaffNews): Promise<void> {
  if (!isMailConfigured()) return;
  const count = await countInHour(tx, `staff ${news.what}`);
  if (count > MAX_MAILS) return;
  const people = await tx.user.findMany({
    where: { isStaff: true, disabledAt: null, ...(news.what === "credits" && { id: { not: news.by } }) },
    select: { email: true },
    orderBy: { id: "asc" },
  });
  await enqueueMails(
    tx,
    people.map(({ email }) => staffMail(email, news, count === MAX_MAILS)),
  );
}

function staffMail(to: string, news: StaffNews, isLast: boolean): MailMessage {
  const company = oneLine(news.companyName);
  const end = isLast ? ["There were many of these within the hour: the next stand in the panel alone."] : [];
  if (news.what === "verification") {
    const due = `${news.dueAt.toISOString().slice(0, 10)} at ${news.dueAt.toISOString().slice(11, 16)} UTC`;
    return mail(to, `${company} waits to be verified`, [
      `${company} handed in its data. It is promised an answer by ${due}.`,
      { name: "Check it", href: link(`/staff/verifications/${news.accountId}`) },
      ...end,
    ]);
  }
  if (news.what === "request") {
    const wanted = wantedWords(news.wanted);
    return mail(to, `${company} asks for ${wanted}`, [
      `${company} asks for ${wanted}. Grant it, or decline it and say why.`,
      { name: "Look at it", href: link(`/staff/accounts/${news.accountId}`) },
      ...end,
    ]);
  }
  return mail(to, `A grant for ${company} waits for a second person`, [
    `${news.amount.toLocaleString("en-US")} credits for ${company} were asked for. Somebody else of the staff has to confirm them within 7 days.`,
    { name: "Look at it", href: link(`/staff/accounts/${news.accountId}`) },
    ...end,
  ]);
}
