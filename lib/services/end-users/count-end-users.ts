import { inTransaction } from "@/lib/db/pool";
import { SETTLE_MINUTES } from "@/lib/services/sessions/count-sessions";

/**
 * Adds up a project's end users that came since the last time, so that they need not be counted at each look. Whoever came
 * after a moment was also seen after it, and by that time an index finds them. Erasures wait for it, or it for them; of
 * several at once, one does it.
 */
export async function addUpEndUsers(projectId: string): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.query(
      `INSERT INTO end_user_counts (project_id, counted_until) SELECT id, '-infinity' FROM projects
       WHERE id = $1 AND NOT EXISTS (SELECT FROM end_user_counts WHERE project_id = $1)
       ON CONFLICT DO NOTHING`,
      [projectId],
    );
    const { rowCount } = await tx.query("SELECT 1 FROM end_user_counts WHERE project_id = $1 FOR UPDATE SKIP LOCKED", [
      projectId,
    ]);
    if (rowCount) await tx.query(COUNT_SETTLED, [projectId, SETTLE_MINUTES]);
  });
}

const COUNT_SETTLED = `
  UPDATE end_user_counts c SET counted_until = new.until, end_users = c.end_users + new.end_users
  FROM (SELECT until, count(u.end_user_id) AS end_users
        FROM (SELECT date_trunc('milliseconds', now() - make_interval(mins => $2)) AS until,
                     (SELECT counted_until FROM end_user_counts WHERE project_id = $1) AS since) t
        LEFT JOIN end_users u ON u.project_id = $1 AND u.last_seen_at >= since AND u.created_at >= since
          AND u.created_at < until
        GROUP BY until) new
  WHERE c.project_id = $1 AND c.counted_until < new.until`;
