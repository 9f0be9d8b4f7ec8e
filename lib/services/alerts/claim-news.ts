import { MAILED_ALERT_KINDS } from "@/lib/domain/alert-mails";
import type { News } from "@/lib/services/alerts/alert-words";
import { IS_OPEN } from "@/lib/services/alerts/run-watch";

/** Older news is no news: where it is told of by a new way, or by one that was off for long, the panel has told it. */
export const NEWS_SECONDS = 86_400;

/** Companies a look: what is left over is told of by the next one. */
export const MOST_ACCOUNTS = 1_000;

export interface ClaimedAlert extends News {
  accountId: string;
}

/**
 * The statement that takes open alerts which nobody was told of on one of the ways, and marks them told: all of one account, of
 * the one whose news is oldest. What goes out is written in the same transaction.
 * @param mark the column of that way
 * @param may a condition on the alert as `t`: others are left alone
 */
export function claimNews(mark: "mailed_at" | "chatted_at", may = "true"): { text: string; values: unknown[] } {
  const isNews = `t.kind = ANY ($1::text[]) AND ${IS_OPEN} AND t.${mark} IS NULL
    AND t.created_at > now() - make_interval(secs => $2) AND ${may}`;
  const text = `
    WITH next AS (
      SELECT t.account_id FROM alerts t WHERE ${isNews}
      ORDER BY t.created_at, t.id LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED),
    news AS (
      SELECT t.id FROM alerts t WHERE t.account_id = (SELECT account_id FROM next) AND ${isNews}
      FOR NO KEY UPDATE OF t SKIP LOCKED)
    UPDATE alerts SET ${mark} = now() FROM news WHERE alerts.id = news.id
    RETURNING alerts.account_id AS "accountId", kind, message`;
  return { text, values: [[...MAILED_ALERT_KINDS], NEWS_SECONDS] };
}
