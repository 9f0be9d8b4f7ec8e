import type { Alert, Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { ALERT_TITLES, type AlertKind } from "@/lib/domain/alert-kinds";
import { isMailedOf, MAILED_ALERT_KINDS } from "@/lib/domain/alert-mails";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { MailMessage } from "@/lib/mail/send-mail";
import { alertReaders } from "@/lib/services/alerts/alert-readers";
import { linkAbout, mail, oneLine } from "@/lib/services/mail/compose-mail";
import { enqueueMails } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** Older news is no news: where mails are switched on later, or were off for long, the panel has told it. */
const NEWS_MS = 86_400_000;

/** Companies a look: what is left over is told of by the next one. */
const MOST_ACCOUNTS = 1_000;

/**
 * Tells by mail of open alerts that nobody was told of: each person of what they chose, or owners and admins of all; one mail
 * for all of an account at once, since what fails fails together. Safe beside itself and after a crash: the mark and the mails
 * of an account are one transaction. Each has its own, so that many accounts are no long one.
 * @returns how many alerts were told of
 */
export async function mailAlerts(): Promise<number> {
  if (!isMailConfigured()) return 0;
  let told = 0;
  for (let accounts = 0; accounts < MOST_ACCOUNTS; accounts++) {
    const count = await prisma().$transaction(mailNextAccount);
    if (count === 0) break;
    told += count;
    wakeRelay();
  }
  return told;
}

type News = Pick<Alert, "accountId" | "kind" | "message">;

async function mailNextAccount(tx: Prisma.TransactionClient): Promise<number> {
  const alerts = await claimAlerts(tx);
  const [first] = alerts;
  if (!first) return 0;
  const id = first.accountId;
  const { companyName, readers } = await alertReaders(tx, id);
  const mails = readers.flatMap(({ email, topics }) => {
    const theirs = alerts.filter(({ kind }) => isMailedOf(topics, kind));
    return theirs.length > 0 ? [alertsMail(email, { id, companyName }, theirs)] : [];
  });
  await enqueueMails(tx, mails);
  return alerts.length;
}

/** All of one account: of the one whose news is oldest. */
function claimAlerts(tx: Prisma.TransactionClient): Promise<News[]> {
  const kinds = [...MAILED_ALERT_KINDS];
  return tx.$queryRaw<News[]>`
    WITH next AS (
      SELECT account_id FROM alerts
      WHERE kind = ANY (${kinds}) AND resolved_at IS NULL AND dismissed_at IS NULL AND mailed_at IS NULL
        AND created_at > now() - make_interval(secs => ${NEWS_MS / 1_000})
      ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
    news AS (
      SELECT id FROM alerts
      WHERE account_id = (SELECT account_id FROM next)
        AND kind = ANY (${kinds}) AND resolved_at IS NULL AND dismissed_at IS NULL AND mailed_at IS NULL
        AND created_at > now() - make_interval(secs => ${NEWS_MS / 1_000})
      FOR NO KEY UPDATE SKIP LOCKED)
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
