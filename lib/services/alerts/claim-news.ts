import { db } from "@/lib/db/pool";
import { MAILED_ALERT_KINDS } from "@/lib/domain/alert-mails";
import { IS_OPEN } from "@/lib/services/alerts/run-watch";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** Older news is no news: where it is told of by a new way, or by one that was off for long, the panel has told it. */
export const NEWS_SECONDS = 86_400;

/** Companies a look: what is left over is told of by the next one. */
const MOST_ACCOUNTS = 1_000;

/** The statements of one of the ways in which accounts are told of their news. */
interface NewsWay {
  /** The account whose news is oldest; `$3` are those that were looked at. */
  find: Statement;
  /**
   * Takes all open alerts of the account `$3` that it was not told of, from the oldest on, and marks them told; what goes out is
   * written in the same transaction.
   */
  claim: Statement;
}

/** Its first parameters; the third is the caller's. */
interface Statement {
  text: string;
  values: unknown[];
}

/**
 * @param mark the column of that way
 * @param may a condition on the alert as `t`: others are left alone
 */
export function newsWay(mark: "mailed_at" | "chatted_at", may = "true"): NewsWay {
  const isNews = `t.kind = ANY ($1::text[]) AND ${IS_OPEN} AND t.${mark} IS NULL
    AND t.created_at > now() - make_interval(secs => $2) AND ${may}`;
  const values = [[...MAILED_ALERT_KINDS], NEWS_SECONDS];
  const find = `
    SELECT t.account_id AS "accountId" FROM alerts t WHERE ${isNews} AND t.account_id <> ALL ($3::text[])
    ORDER BY t.created_at, t.id LIMIT 1`;
  const claim = `
    WITH news AS (
      SELECT t.id FROM alerts t WHERE t.account_id = $3 AND ${isNews} FOR NO KEY UPDATE OF t SKIP LOCKED),
    told AS (
      UPDATE alerts SET ${mark} = now() FROM news WHERE alerts.id = news.id
      RETURNING kind, message, created_at, alerts.id)
    SELECT kind, message FROM told ORDER BY created_at, id`;
  return { find: { text: find, values }, claim: { text: claim, values } };
}

/**
 * Tells the accounts that have news, one by one. One that cannot be told keeps no other waiting: its news stays the oldest.
 * @param tell claims the news of an account and writes what goes out, in one transaction
 * @returns how many alerts were told of
 * @throws what kept an account from being told, after all others
 */
export async function tellAccounts({ find }: NewsWay, tell: (accountId: string) => Promise<number>): Promise<number> {
  const looked: string[] = [];
  const failures: unknown[] = [];
  let told = 0;
  while (looked.length < MOST_ACCOUNTS) {
    const { rows } = await db().query<{ accountId: string }>(find.text, [...find.values, looked]);
    const [next] = rows;
    if (!next) break;
    looked.push(next.accountId);
    try {
      told += await tell(next.accountId);
      wakeRelay();
    } catch (error) {
      failures.push(error);
    }
  }
  for (const failure of failures) throw failure;
  return told;
}
