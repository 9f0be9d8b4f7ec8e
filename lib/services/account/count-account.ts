import type { AccountRecord } from "@/lib/contracts/account";
import { db } from "@/lib/db/pool";
import { addUpEndUsers } from "@/lib/services/end-users/count-end-users";
import { addUpSessions, IS_UNEXPIRED, MOST_UNCOUNTED, SETTLE_MINUTES } from "@/lib/services/sessions/count-sessions";

type AccountCounts = Pick<AccountRecord["stats"], "sessions" | "completed" | "failed" | "endUsers">;

interface ProjectRow extends AccountCounts {
  projectId: string;
  uncountedSessions: number;
  uncountedEndUsers: number;
}

/**
 * How many sessions and end users an account has over all its projects, and how its work ended: what was added up before,
 * with what came since, so that a long past takes no longer. Always exact.
 */
export async function countAccount(accountId: string): Promise<AccountCounts> {
  const { rows } = await db().query<ProjectRow>({ ...COUNT_ACCOUNT, values: [accountId, SETTLE_MINUTES] });
  for (const { projectId, uncountedSessions, uncountedEndUsers } of rows) {
    if (uncountedSessions > MOST_UNCOUNTED) await addUpSessions(projectId);
    if (uncountedEndUsers > MOST_UNCOUNTED) await addUpEndUsers(projectId);
  }
  const sum = (name: keyof AccountCounts) => rows.reduce((total, row) => total + row[name], 0);
  return { sessions: sum("sessions"), completed: sum("completed"), failed: sum("failed"), endUsers: sum("endUsers") };
}

/**
 * An expired session keeps how its last turn ended: no error code, that of its failure, or CANCELED. One statement sees one
 * state of the database. Bounds above are for the planner, as in count-sessions.ts.
 */
const COUNT_ACCOUNT = {
  name: "count-account",
  text: `
    WITH project AS (
      SELECT p.id, coalesce(c.counted_until, '-infinity') AS sessions_until, coalesce(c.chats + c.processes, 0) AS sessions,
             coalesce(c.expired_failed, 0) AS expired_failed, coalesce(c.expired_canceled, 0) AS expired_canceled,
             coalesce(e.counted_until, '-infinity') AS end_users_until, coalesce(e.end_users, 0) AS end_users
      FROM projects p LEFT JOIN session_counts c ON c.project_id = p.id LEFT JOIN end_user_counts e ON e.project_id = p.id
      WHERE p.account_id = $1
    )
    SELECT p.id AS "projectId", p.sessions + new.sessions AS sessions,
           live.completed + (p.sessions + new.sessions - live.sessions) - (p.expired_failed + changes.failed)
             - (p.expired_canceled + changes.canceled) AS completed,
           live.failed + p.expired_failed + changes.failed AS failed, p.end_users + users.end_users AS "endUsers",
           greatest(new.settled, changes.changes) AS "uncountedSessions", users.settled AS "uncountedEndUsers"
    FROM project p
    CROSS JOIN LATERAL (
      SELECT count(*) AS sessions, count(*) FILTER (WHERE s.created_at < now() - make_interval(mins => $2)) AS settled
      FROM sessions s WHERE s.project_id = p.id AND s.created_at >= p.sessions_until AND s.created_at < 'infinity') new
    CROSS JOIN LATERAL (
      SELECT count(*) AS sessions, count(*) FILTER (WHERE s.status = 'completed') AS completed,
             count(*) FILTER (WHERE s.status = 'failed') AS failed
      FROM sessions s WHERE s.project_id = p.id AND ${IS_UNEXPIRED}) live
    CROSS JOIN LATERAL (
      SELECT count(*) AS changes, coalesce(sum(expired_failed), 0) AS failed, coalesce(sum(expired_canceled), 0) AS canceled
      FROM session_count_changes c WHERE c.project_id = p.id) changes
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE u.created_at >= p.end_users_until) AS end_users,
             count(*) FILTER (WHERE u.last_seen_at < now() - make_interval(mins => $2)) AS settled
      FROM end_users u WHERE u.project_id = p.id AND u.last_seen_at >= p.end_users_until
        AND u.last_seen_at < 'infinity') users`,
};
