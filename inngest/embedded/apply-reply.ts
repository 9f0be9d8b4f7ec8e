import type pg from "pg";
import { lossDelayMs, retryDelayMs } from "@/inngest/embedded/backoff";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { inTransaction, type Sql } from "@/inngest/embedded/database";
import { endRuns, type RunEnder } from "@/inngest/embedded/end-runs";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { DISCOVERY, insertEvents } from "@/inngest/embedded/insert-events";
import { INTERNAL_EVENT_PREFIX, makeEvent } from "@/inngest/embedded/read-events";
import { type FailureDetails, makeFailure, type Outcome, type PlannedStep } from "@/inngest/embedded/read-reply";
import { canonicalJson } from "@/inngest/embedded/sign-request";

const FAILED_EVENT = `${INTERNAL_EVENT_PREFIX}function.failed`;

export interface ApplyContext {
  pool: pg.Pool;
  endRun: RunEnder;
  registry: FunctionRegistry;
  retryBaseMs: number;
  leaseMs: number;
  maxAttempts: number;
  /** Whether this runner keeps the run and calls it again at once, instead of giving the place to others in the queue. */
  isKept: boolean;
}

export interface Applied {
  /** The item was no longer ours (its lease ran out and another took it, or its run is over): nothing was changed. */
  isStale: boolean;
  /** The run's next call, kept under our lease. */
  next?: ClaimedItem;
  /** Set when the run failed for good. */
  failure?: FailureDetails;
}

/**
 * Writes what came of a call, in one transaction, only if the item is still of the generation that was called.
 * Generations only grow within a run, also where an item gives way to others: no late reply fits a later call.
 */
export async function applyOutcome(item: ClaimedItem, outcome: Outcome, context: ApplyContext): Promise<Applied> {
  switch (outcome.kind) {
    case "memo":
      if (item.stepId === DISCOVERY) return continueRun(item, outcome, context);
      return asApplied(await context.pool.query(completeStep(item, outcome.output)));
    case "plan":
      if (item.stepId !== DISCOVERY) return failRun(item, makeFailure("A step answered with other steps."), context);
      return asApplied(await context.pool.query(planSteps(item, outcome.steps)));
    case "done":
      return { isStale: !(await context.endRun({ item, status: "completed", output: outcome.output })) };
    case "away":
    case "foreign":
      return asApplied(await context.pool.query(requeue(item, { attempt: item.attempt, losses: item.losses })));
    case "lost": {
      const losses = item.losses + 1;
      return asApplied(
        await context.pool.query(requeue(item, { attempt: item.attempt, losses, delayMs: lossDelayMs(losses) })),
      );
    }
    case "failed": {
      const attempt = item.attempt + 1;
      if (outcome.isFinal || attempt >= context.maxAttempts) return failRun(item, outcome.error, context);
      const delayMs = outcome.afterMs ?? retryDelayMs(item.attempt, context.retryBaseMs);
      return asApplied(await context.pool.query(requeue(item, { attempt, losses: 0, delayMs })));
    }
  }
}

/** A step ran within the call that found it: remember it, and let the same item call the function again. */
async function continueRun(
  item: ClaimedItem,
  memo: { stepId: string; output: string },
  context: ApplyContext,
): Promise<Applied> {
  const { rows } = await context.pool.query<{ generation: number }>({
    name: "runner-continue-run",
    text: `
      WITH item AS (
        UPDATE runner_items SET generation = generation + 1, attempt = 0, losses = 0,
          state = CASE WHEN $6 THEN 'leased' ELSE 'ready' END,
          leased_until = CASE WHEN $6 THEN now() + $7 * interval '1 millisecond' END
        WHERE run_id = $1 AND step_id = $2 AND generation = $3
        RETURNING generation
      ), memo AS (
        INSERT INTO runner_steps (run_id, step_id, output) SELECT $1, $4, $5 FROM item ON CONFLICT DO NOTHING
      )
      SELECT generation FROM item`,
    values: [item.runId, item.stepId, item.generation, memo.stepId, memo.output, context.isKept, context.leaseMs],
  });
  const [row] = rows;
  if (!row || !context.isKept) return { isStale: !row };
  const { stepId, output } = memo;
  const memos = [...item.memos, { stepId, output }];
  return { isStale: false, next: { ...item, attempt: 0, losses: 0, generation: row.generation, memos } };
}

/** A planned step or a sleep ended: with the last of its run's, the function is called again. */
function completeStep(item: ClaimedItem, output: string): pg.QueryConfig {
  return {
    name: "runner-complete-step",
    text: `
      WITH run AS (
        SELECT id, lane FROM runner_runs WHERE id = $1 AND ended_at IS NULL FOR UPDATE
      ), item AS (
        DELETE FROM runner_items WHERE run_id = $1 AND step_id = $2 AND generation = $3 AND EXISTS (SELECT FROM run)
        RETURNING due_at, generation
      ), memo AS (
        INSERT INTO runner_steps (run_id, step_id, output) SELECT $1, $2, $4 FROM item ON CONFLICT DO NOTHING
      ), counted AS (
        UPDATE runner_runs SET pending = pending - 1 FROM item WHERE id = $1 RETURNING pending
      ), next AS (
        INSERT INTO runner_items (run_id, step_id, lane, is_sleep, state, due_at, attempt, losses, generation)
        SELECT $1, '${DISCOVERY}', run.lane, false, 'ready', item.due_at, 0, 0, item.generation + 1
        FROM run, item, counted WHERE counted.pending <= 0
      )
      SELECT FROM item`,
    values: [item.runId, item.stepId, item.generation, output],
  };
}

/** The function waits for steps: its item gives way to one for each. */
function planSteps(item: ClaimedItem, steps: PlannedStep[]): pg.QueryConfig {
  return {
    name: "runner-plan-steps",
    text: `
      WITH run AS (
        SELECT id, lane FROM runner_runs WHERE id = $1 AND ended_at IS NULL FOR UPDATE
      ), item AS (
        DELETE FROM runner_items WHERE run_id = $1 AND step_id = $2 AND generation = $3 AND EXISTS (SELECT FROM run)
        RETURNING due_at, generation
      ), counted AS (
        UPDATE runner_runs SET pending = cardinality($4::text[]) FROM item WHERE id = $1
      ), planned AS (
        INSERT INTO runner_items (run_id, step_id, lane, is_sleep, state, due_at, attempt, losses, generation)
        SELECT $1, step_id, run.lane, sleep_ms IS NOT NULL, CASE WHEN sleep_ms IS NULL THEN 'ready' ELSE 'waiting' END,
          CASE WHEN sleep_ms IS NULL THEN item.due_at ELSE now() + sleep_ms * interval '1 millisecond' END, 0, 0, item.generation + 1
        FROM run, item, unnest($4::text[], $5::float8[]) AS step (step_id, sleep_ms)
      )
      SELECT FROM item`,
    values: [
      item.runId,
      item.stepId,
      item.generation,
      steps.map(({ stepId }) => stepId),
      steps.map(({ sleepMs }) => sleepMs ?? null),
    ],
  };
}

/** Back into the queue, at once or later. */
function requeue(item: ClaimedItem, next: { attempt: number; losses: number; delayMs?: number }): pg.QueryConfig {
  return {
    name: "runner-requeue-item",
    text: `
      UPDATE runner_items SET generation = generation + 1, attempt = $4, losses = $5, leased_until = NULL,
        state = CASE WHEN $6::float8 IS NULL THEN 'ready' ELSE 'waiting' END,
        due_at = CASE WHEN $6::float8 IS NULL THEN due_at ELSE now() + $6 * interval '1 millisecond' END
      WHERE run_id = $1 AND step_id = $2 AND generation = $3`,
    values: [item.runId, item.stepId, item.generation, next.attempt, next.losses, next.delayMs ?? null],
  };
}

/** Ends the run and, in the same transaction, starts its `onFailure`. A failure handler's own failure starts none. */
async function failRun(item: ClaimedItem, error: FailureDetails, context: ApplyContext): Promise<Applied> {
  const original = JSON.parse(item.event) as { name: string };
  const data = { error, event: original, function_id: item.functionId, run_id: item.runId };
  const event = makeEvent({ name: FAILED_EVENT, id: `failed_${item.runId}`, data, ts: Date.now() });
  return inTransaction(context.pool, async (sql: Sql) => {
    const [isHeld] = await endRuns(sql, [{ item, status: "failed", output: canonicalJson(error) }]);
    if (!isHeld) return { isStale: true };
    if (original.name !== FAILED_EVENT && context.registry.triggeredBy(event).length > 0) {
      await insertEvents(sql, context.registry, [event]);
    }
    return { isStale: false, failure: error };
  });
}

function asApplied(result: pg.QueryResult): Applied {
  return { isStale: result.rowCount === 0 };
}
