import { inTransaction } from "@/lib/db/pool";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import type { ClaimedDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { addCounts } from "@/lib/services/data-rights/data-request-row";
import { NEWER_SESSIONS } from "@/lib/services/data-rights/personal-table";

/**
 * Usage of the same day and endpoint of several erased end users becomes one row. What was charged for sessions that came after the
 * erasure began keeps its name, and so does as much of the usage.
 */
const ERASE_FROM_BOOKS = `
  WITH ledger AS (
    UPDATE ledger_entries SET end_user_id = $4
    WHERE project_id = $1 AND end_user_id = $2 AND (session_id IS NULL OR session_id NOT IN ${NEWER_SESSIONS})
    RETURNING 1
  ),
  newer AS MATERIALIZED (
    SELECT (ended_at AT TIME ZONE 'UTC')::date AS day, endpoint, count(*)::int AS requests,
           sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, sum(credits_used)::int AS credits
    FROM turns WHERE session_id IN ${NEWER_SESSIONS} AND ended_at IS NOT NULL GROUP BY 1, 2
  ),
  old AS MATERIALIZED (
    SELECT u.project_id, u.account_id, u.day, u.endpoint, n.day IS NULL AS is_whole,
           u.requests - coalesce(n.requests, 0) AS requests, u.tokens_in - coalesce(n.tokens_in, 0) AS tokens_in,
           u.tokens_out - coalesce(n.tokens_out, 0) AS tokens_out, u.credits - coalesce(n.credits, 0) AS credits
    FROM usage_days u LEFT JOIN newer n ON n.day = u.day AND n.endpoint = u.endpoint
    WHERE u.project_id = $1 AND u.end_user_id = $2 AND u.requests > coalesce(n.requests, 0)
  ),
  gone AS (
    DELETE FROM usage_days u USING old
    WHERE u.project_id = $1 AND u.end_user_id = $2 AND u.day = old.day AND u.endpoint = old.endpoint AND old.is_whole
  ),
  less AS (
    UPDATE usage_days u SET requests = u.requests - old.requests, tokens_in = u.tokens_in - old.tokens_in,
      tokens_out = u.tokens_out - old.tokens_out, credits = u.credits - old.credits
    FROM old
    WHERE u.project_id = $1 AND u.end_user_id = $2 AND u.day = old.day AND u.endpoint = old.endpoint AND NOT old.is_whole
  ),
  kept AS (
    INSERT INTO usage_days AS u (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
    SELECT project_id, account_id, day, endpoint, $4, requests, tokens_in, tokens_out, credits FROM old
    ON CONFLICT (project_id, day, endpoint, end_user_id) DO UPDATE SET requests = u.requests + excluded.requests,
      tokens_in = u.tokens_in + excluded.tokens_in, tokens_out = u.tokens_out + excluded.tokens_out,
      credits = u.credits + excluded.credits
  )
  SELECT (SELECT count(*) FROM ledger) AS ledger, (SELECT count(*) FROM old) AS usage`;

/**
 * Takes an end user's name out of ledger and usage; every sum stays. Both in one statement, and while no turn of the
 * account is being settled: they are equal at any time.
 */
export async function eraseFromBooks({
  id,
  accountId,
  projectId,
  endUserId,
  startedAt,
}: ClaimedDataRequest): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [accountId]);
    const { rows } = await tx.query<{ ledger: number; usage: number }>(ERASE_FROM_BOOKS, [
      projectId,
      endUserId,
      startedAt,
      ERASED_END_USER,
    ]);
    await addCounts(tx, id, { ledger_entries: rows[0]?.ledger ?? 0, usage_days: rows[0]?.usage ?? 0 });
  });
}
