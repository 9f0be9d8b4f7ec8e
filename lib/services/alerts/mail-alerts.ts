import type { Alert, Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { ALERT_TITLES, type AlertKind } from "@/lib/domain/alert-kinds";
import { isMailedOf, MAILED_ALERT_KINDS } from "@/lib/domain/alert-mails";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { MailMessage } from "@/lib/mail/send-mail";
import { alertReaders } from "@/lib/services/alerts/alert-readers";
import { linkAbout, mail, oneLine } from "@/lib/services/mail/compose-mail";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** Older news is no news: where mails are switched on later, or were off for long, the panel has told it. */
const NEWS_MS = 86_400_000;

const BATCH = 500;

/**
 * Tells by mail of open alerts that nobody was told of: each person of what they chose, or owners and admins of all; one mail
 * for all of an account at once, since what fails fails together. Safe beside itself and after a crash: the mark and the mails are one transaction.
 * @returns how many alerts were told of
 */
export async function mailAlerts(): Promise<number> {
  if (!isMailConfigured()) return 0;
  const told = await prisma().$transaction(async (tx) => {
    const alerts = await claimAlerts(tx);
    const byAccount = Map.groupBy(alerts, ({ accountId }) => accountId);
    for (const [accountId, news] of byAccount) {
      const { companyName, readers } = await alertReaders(tx, accountId);
      for (const { email, topics } of readers) {
        const theirs = news.filter(({ kind }) => isMailedOf(topics, kind));
        if (theirs.length > 0) await enqueueMail(tx, alertsMail(email, { id: accountId, companyName }, theirs));
      }
    }
    return alerts.length;
  });
  if (told > 0) wakeRelay();
  return told;
}

type News = Pick<Alert, "accountId" | "kind" | "message">;

function claimAlerts(tx: Prisma.TransactionClient): Promise<News[]> {
  return tx.$queryRaw<News[]>`
    WITH news AS (
      SELECT id FROM alerts
      WHERE kind = ANY (${[...MAILED_ALERT_KINDS]}) AND resolved_at IS NULL AND dismissed_at IS NULL AND mailed_at IS NULL
        AND created_at > now() - make_interval(secs => ${NEWS_MS / 1_000})
      ORDER BY created_at, id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE alerts SET mailed_at = now() FROM news WHERE alerts.id = news.id
    RETURNING alerts.account_id AS "accountId", kind, message`;
}

function alertsMail(to: string, account: { id: string; companyName: string }, news: News[]): MailMessage {
  const [first] = news;
  const company = oneLine(account.companyName);
  const subject = news.length === 1 && first ? titleOf(first) : `${news.length} things to look at`;
  return mail(to, `${subject}: ${company}`, [
    ...news.map((alert) => (news.length === 1 ? alert.message : `${titleOf(alert)}: ${alert.message}`)),
    { name: "Look at it", href: linkAbout("/panel/alerts", account.id) },
    `Each is told once. Choose what you are mailed of about ${company}: ${linkAbout("/panel/settings/account", account.id)}`,
  ]);
}

function titleOf({ kind }: News): string {
  return ALERT_TITLES[kind as AlertKind];
}
