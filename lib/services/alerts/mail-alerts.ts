import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { isMailedOf } from "@/lib/domain/alert-mails";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { MailMessage } from "@/lib/mail/send-mail";
import { alertReaders } from "@/lib/services/alerts/alert-readers";
import { type News, newsHeading, newsLines } from "@/lib/services/alerts/alert-words";
import { newsWay, tellAccounts } from "@/lib/services/alerts/claim-news";
import { linkAbout, mail, oneLine } from "@/lib/services/mail/compose-mail";
import { enqueueMails } from "@/lib/services/mail/enqueue-mail";

const WAY = newsWay("mailed_at");

/**
 * Tells by mail of open alerts that nobody was told of: each person of what they chose, or owners and admins of all; one mail
 * for all of an account at once, since what fails fails together. Safe beside itself and after a crash: the mark and the mails
 * of an account are one transaction. Each has its own, so that many accounts are no long one.
 * @returns how many alerts were told of
 */
export async function mailAlerts(): Promise<number> {
  if (!isMailConfigured()) return 0;
  return tellAccounts(WAY, (id) => prisma().$transaction((tx) => mailAccount(tx, id)));
}

async function mailAccount(tx: Prisma.TransactionClient, id: string): Promise<number> {
  const { text, values } = WAY.claim;
  const alerts = await tx.$queryRawUnsafe<News[]>(text, ...values, id);
  if (alerts.length === 0) return 0;
  const told = await alertReaders(tx, id);
  if (!told) return alerts.length;
  const { companyName, readers } = told;
  const mails = readers.flatMap(({ email, topics }) => {
    const theirs = alerts.filter(({ kind }) => isMailedOf(topics, kind));
    return theirs.length > 0 ? [alertsMail(email, { id, companyName }, theirs)] : [];
  });
  await enqueueMails(tx, mails);
  return alerts.length;
}

function alertsMail(to: string, account: { id: string; companyName: string }, news: News[]): MailMessage {
  const company = oneLine(account.companyName);
  return mail(to, newsHeading(news, account.companyName), [
    ...newsLines(news),
    { name: "Look at it", href: linkAbout("/panel/alerts", account.id) },
    `Each is told once. Choose what you are mailed of about ${company}: ${linkAbout("/panel/settings/account", account.id)}`,
  ]);
}
