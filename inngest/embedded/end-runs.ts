import type pg from "pg";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { isItemOf, isKey, type Sql } from "@/inngest/embedded/database";
import { together } from "@/lib/together";

/** A run that is over. */
export interface EndingRun {
  item: Pick<ClaimedItem, "runId" | "stepId" | "generation">;
  status: "completed" | "failed";
  /** Canonical JSON. */
  output: string;
}

/**
 * Ends runs; whether each was still the caller's to end. Runs are found by id alone and sorted out afterwards: asked for those
 * that are open, the kept plan, made while there are few, would read all of them each time.
 */
export async function endRuns(sql: Sql, endings: EndingRun[]): Promise<boolean[]> {
  const { rows } = await sql.query<{ run_id: string; generation: number }>({
    name: "runner-end-runs",
    text: `
      WITH run AS MATERIALIZED (
        SELECT run.ended_at, given.* FROM (
          SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[])
            AS given (run_id, step_id, generation, new_status, new_output) ORDER BY run_id
        ) given JOIN runner_runs run ON ${isKey("run.id", "given.run_id")} FOR UPDATE OF run
      ), held AS MATERIALIZED (
        SELECT run.run_id, run.generation, run.new_status, run.new_output FROM run
        JOIN runner_items item ON ${isItemOf("run")} AND item.generation = run.generation
        WHERE run.ended_at IS NULL FOR UPDATE OF item
      ), items AS (
        DELETE FROM runner_items item USING held WHERE ${isKey("item.run_id", "held.run_id")}
      ), ended AS (
        UPDATE runner_runs run SET status = held.new_status, output = held.new_output, ended_at = now(), pending = 0
        FROM held WHERE ${isKey("run.id", "held.run_id")}
      )
      SELECT run_id, generation FROM held`,
    values: [
      endings.map(({ item }) => item.runId),
      endings.map(({ item }) => item.stepId),
      endings.map(({ item }) => item.generation),
      endings.map(({ status }) => status),
      endings.map(({ output }) => output),
    ],
  });
  const ended = new Set(rows.map(({ run_id, generation }) => `${run_id} ${generation}`));
  // The same reply twice counts once.
  return endings.map(({ item }) => ended.delete(`${item.runId} ${item.generation}`));
}

/** Ends runs of one runner, those that end at once together. */
export type RunEnder = (ending: EndingRun) => Promise<boolean>;

const MAX_TOGETHER = 100;
/** What a run did is done before: all that waits for its end is its place. */
const REST_MS = 3;

export function makeRunEnder(pool: pg.Pool): RunEnder {
  return together({
    work: (endings: EndingRun[]) => endRuns(pool, endings),
    max: MAX_TOGETHER,
    restMs: REST_MS,
    // What the database refused, it did not do; ending a run twice does nothing.
    isRepeatable: (error) => typeof (error as { code?: unknown } | null)?.code === "string",
  });
}
