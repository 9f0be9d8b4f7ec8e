import { db, inTransaction } from "@/lib/db/pool";
import type { SessionKind } from "@/lib/domain/session-status";

/** So many sessions are counted each time, before they are added to what is known. */
const MOST_UNCOUNTED = 500;
/** A session is there at the latest so long after the moment that it carries. */
const SETTLE_MINUTES = 5;

/**
 * How many sessions a project has, or of one kind: what was counted before, with those that came since, so that a long past
 * takes no longer. Always exact.
 */
export async function countProjectSessions(projectId: string, kind?: SessionKind): Promise<number> {
  const { rows } = await db().query<Record<"known" | "fresh" | "settled", number>>({
    ...COUNT,
    values: [projectId, kind ?? null, SETTLE_MINUTES],
  });
  const { known, fresh, settled } = rows[0] ?? { known: 0, fresh: 0, settled: 0 };
  if (settled > MOST_UNCOUNTED) await countSettled(projectId);
  return known + fresh;
}

/** One statement sees one state of the database. */
const COUNT = {
  name: "count-project-sessions",
  text: `
    WITH counted AS (SELECT * FROM session_counts WHERE project_id = $1)
    SELECT coalesce((SELECT CASE $2::text WHEN 'chat' THEN chats WHEN 'process' THEN processes ELSE chats + processes END
                     FROM counted), 0) AS known,
           count(*) FILTER (WHERE $2::text IS NULL OR kind = $2) AS fresh,
           count(*) FILTER (WHERE created_at < now() - make_interval(mins => $3)) AS settled
    FROM sessions
    WHERE project_id = $1 AND created_at >= coalesce((SELECT counted_until FROM counted), '-infinity')`,
};

/** Moves the moment on. Deletions wait for it, or it for them; of several at once, one does it. */
async function countSettled(projectId: string): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.query(
      `INSERT INTO session_counts (project_id, counted_until) SELECT id, '-infinity' FROM projects
       WHERE id = $1 AND NOT EXISTS (SELECT FROM session_counts WHERE project_id = $1)
       ON CONFLICT DO NOTHING`,
      [projectId],
    );
    const { rowCount } = await tx.query("SELECT 1 FROM session_counts WHERE project_id = $1 FOR UPDATE SKIP LOCKED", [
      projectId,
    ]);
    if (rowCount) await tx.query(COUNT_SETTLED, [projectId, SETTLE_MINUTES]);
  });
}

const COUNT_SETTLED = `
  UPDATE session_counts c SET counted_until = new.until, chats = c.chats + new.chats, processes = c.processes + new.processes
  FROM (SELECT until, count(s.id) FILTER (WHERE s.kind = 'chat') AS chats,
               count(s.id) FILTER (WHERE s.kind = 'process') AS processes
        FROM (SELECT date_trunc('milliseconds', now() - make_interval(mins => $2)) AS until) u
        LEFT JOIN sessions s ON s.project_id = $1 AND s.created_at < until
          AND s.created_at >= (SELECT counted_until FROM session_counts WHERE project_id = $1)
        GROUP BY until) new
  WHERE c.project_id = $1 AND c.counted_until < new.until`;
