import { inTransaction } from "@/lib/db/pool";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import type { ClaimedDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { addCounts } from "@/lib/services/data-rights/data-request-row";

/** Usage of the same day and endpoint of several erased end users becomes one row. */
const ERASE_FROM_BOOKS = `
  WITH ledger AS (
    UPDATE ledger_entries SET end_user_id = $3 WHERE project_id = $1 AND end_user_id = $2 RETURNING 1
  ),
  gone AS (
    DELETE FROM usage_days WHERE project_id = $1 AND end_user_id = $2 RETURNING *
  ),
  kept AS (
    INSERT INTO usage_days AS u (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
    SELECT project_id, account_id, day, endpoint, $3, requests, tokens_in, tokens_out, credits FROM gone
    ON CONFLICT (project_id, day, endpoint, end_user_id) DO UPDATE SET requests = u.requests + excluded.requests,
      tokens_in = u.tokens_in + excluded.tokens_in, tokens_out = u.tokens_out + excluded.tokens_out,
      credits = u.credits + excluded.credits
  )
  SELECT (SELECT count(*) FROM ledger) AS ledger, (SELECT count(*) FROM gone) AS usage`;

/**
 * Takes an end user's name out of ledger and usage; every sum stays. Both in one statement, and while no turn of the
 * account is being settled: they are equal at any time.
 */
export async function eraseFromBooks({ id, accountId, projectId, endUserId }: ClaimedDataRequest): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [accountId]);
    const { rows } = await tx.query<{ ledger: number; usage: number }>(ERASE_FROM_BOOKS, [
      projectId,
      endUserId,
      ERASED_END_USER,
    ]);
    await addCounts(tx, id, { ledger_entries: rows[0]?.ledger ?? 0, usage_days: rows[0]?.usage ?? 0 });
  });
}
