import type pg from "pg";

export interface RunnerStats {
  /** Items that wait for a place or for their time. */
  queued: number;
  /** Calls under way, of all runners. */
  running: number;
  /** When the longest waiting item was due; in the future when all are asleep, null without any. */
  oldestDueAt: Date | null;
  /** Runs that failed for good, of the last day. */
  failedRuns: number;
}

/** The state of the queue that all runners share. */
export async function readStats(pool: Pick<pg.Pool, "query">): Promise<RunnerStats> {
  const { rows } = await pool.query<RunnerStats>(
    `SELECT count(*) FILTER (WHERE state <> 'leased')::int AS queued, count(*) FILTER (WHERE state = 'leased')::int AS running,
       min(due_at) FILTER (WHERE state <> 'leased') AS "oldestDueAt",
       (SELECT count(*)::int FROM runner_runs WHERE status = 'failed') AS "failedRuns"
     FROM runner_items`,
  );
  return rows[0] ?? { queued: 0, running: 0, oldestDueAt: null, failedRuns: 0 };
}
