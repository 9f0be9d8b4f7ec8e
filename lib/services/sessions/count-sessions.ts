import { db, inTransaction } from "@/lib/db/pool";
import { SESSION_STATUSES, type SessionKind } from "@/lib/domain/session-status";

/** So many rows are counted each time, before they are added to what is known. */
export const MOST_UNCOUNTED = 500;
/** A row is there at the latest so long after the moment that it carries. */
export const SETTLE_MINUTES = 5;

/**
 * How many sessions a project has, or of one kind: what was counted before, with those that came since, so that a long past
 * takes no longer. Always exact.
 */
export async function countProjectSessions(projectId: string, kind?: SessionKind): Promise<number> {
  const { total } = await count(COUNT, projectId, kind);
  return total;
}

/**
 * How many of them have expired: all but those that have not, which are those of the last hours. Always exact.
 */
export async function countExpiredSessions(projectId: string, kind?: SessionKind): Promise<number> {
  const { total, unexpired } = await count(COUNT_EXPIRED, projectId, kind);
  return total - unexpired;
}

interface Counted {
  total: number;
  unexpired: number;
}

async function count(
  statement: { name: string; text: string },
  projectId: string,
  kind: SessionKind | undefined,
): Promise<Counted> {
  const { rows } = await db().query<Record<"known" | "fresh" | "settled" | "unexpired", number>>({
    ...statement,
    values: [projectId, kind ?? null, SETTLE_MINUTES],
  });
  const { known, fresh, settled, unexpired } = rows[0] ?? { known: 0, fresh: 0, settled: 0, unexpired: 0 };
  if (settled > MOST_UNCOUNTED) await addUpSessions(projectId);
  return { total: known + fresh, unexpired };
}

/** Of a table called `s`: named one by one, so that an index of statuses finds the few among the many. */
export const IS_UNEXPIRED = `s.status IN (${SESSION_STATUSES.filter((status) => status !== "expired")
  .map((status) => `'${status}'`)
  .join(", ")})`;

/**
 * One statement sees one state of the database. The bound above leaves nothing out: of what lies between two moments the
 * planner expects little, of what comes after one a third of the table, for which it would start workers.
 */
const countText = (unexpired: string) => `
  WITH counted AS (SELECT * FROM session_counts WHERE project_id = $1)
  SELECT coalesce((SELECT CASE $2::text WHEN 'chat' THEN chats WHEN 'process' THEN processes ELSE chats + processes END
                   FROM counted), 0) AS known,
         count(*) FILTER (WHERE $2::text IS NULL OR kind = $2) AS fresh,
         count(*) FILTER (WHERE created_at < now() - make_interval(mins => $3)) AS settled, ${unexpired} AS unexpired
  FROM sessions
  WHERE project_id = $1 AND created_at >= coalesce((SELECT counted_until FROM counted), '-infinity')
    AND created_at < 'infinity'`;

const COUNT = { name: "count-project-sessions", text: countText("0") };

const COUNT_EXPIRED = {
  name: "count-expired-sessions",
  text: countText(`
    (SELECT count(*) FROM sessions s WHERE s.project_id = $1 AND ${IS_UNEXPIRED} AND ($2::text IS NULL OR s.kind = $2))`),
};

/**
 * Adds up what settled since the last time, so that it need not be counted at each look: how many sessions there are, and
 * how the work of expired ones had ended. Deletions wait for it, or it for them; of several at once, one does it.
 */
export async function addUpSessions(projectId: string): Promise<void> {
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
    if (!rowCount) return;
    await tx.query(COUNT_SETTLED, [projectId, SETTLE_MINUTES]);
    await tx.query(ADD_CHANGES, [projectId]);
  });
}

/** The same for every project of which changes wait: those that nobody looks at, too. */
export async function addUpAllSessions(): Promise<void> {
  const { rows } = await db().query<{ projectId: string }>(
    `SELECT DISTINCT project_id AS "projectId" FROM session_count_changes`,
  );
  for (const { projectId } of rows) await addUpSessions(projectId);
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

const ADD_CHANGES = `
  WITH added AS (
    DELETE FROM session_count_changes WHERE project_id = $1 RETURNING expired_failed, expired_canceled
  )
  UPDATE session_counts SET
    expired_failed = expired_failed + (SELECT coalesce(sum(expired_failed), 0) FROM added),
    expired_canceled = expired_canceled + (SELECT coalesce(sum(expired_canceled), 0) FROM added)
  WHERE project_id = $1`;
