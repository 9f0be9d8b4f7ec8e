import type pg from "pg";

const BATCH_ROWS = 5_000;

/**
 * Deletes runs that ended, with their steps, and events that are no longer needed, once they are `keepHours` old:
 * as long as that, a repeated event id triggers nothing.
 */
export async function prune(pool: Pick<pg.Pool, "query">, keepHours: number): Promise<undefined> {
  await inBatches(
    pool,
    keepHours,
    `
    WITH runs AS (
      DELETE FROM runner_runs WHERE id IN (
        SELECT id FROM runner_runs WHERE ended_at < now() - $1 * interval '1 hour' LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
      ) RETURNING id
    ), steps AS (
      DELETE FROM runner_steps USING runs WHERE run_id = runs.id
    )
    SELECT FROM runs`,
  );
  await inBatches(
    pool,
    keepHours,
    `
    DELETE FROM runner_events WHERE id IN (
      SELECT id FROM runner_events event WHERE received_at < now() - $1 * interval '1 hour'
      AND NOT EXISTS (SELECT FROM runner_runs WHERE event_id = event.id) LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
    )`,
  );
}

async function inBatches(pool: Pick<pg.Pool, "query">, keepHours: number, text: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(text, [keepHours]);
    if ((rowCount ?? 0) < BATCH_ROWS) return;
  }
}
