import type pg from "pg";
import { typeid } from "typeid-js";
import { nextTick, parseCron } from "@/inngest/embedded/cron";
import { inTransaction, type Sql } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { insertEvents } from "@/inngest/embedded/insert-events";
import { INTERNAL_EVENT_PREFIX, makeEvent } from "@/inngest/embedded/read-events";

const TICK_EVENT = `${INTERNAL_EVENT_PREFIX}scheduled.timer`;

export interface CronResult {
  fired: number;
  /** Until the next tick; undefined when there is no cron. */
  nextMs: number | undefined;
}

/** Those of other versions are theirs: they know the function, and its expressions. */
const IS_OWN = "($1::text[] IS NULL OR cron.function_id = ANY ($1::text[]))";

/**
 * Starts the functions of this runner's app whose cron is due, once for all runners; ticks missed while none ran count as one.
 * The database's clock decides.
 */
export function fireDueCrons(pool: pg.Pool, registry: FunctionRegistry): Promise<CronResult> {
  return inTransaction(pool, async (sql) => {
    const { rows } = await sql.query<{ function_id: string; expression: string; due_at: Date; now: Date }>(
      `SELECT cron.*, now() AS now FROM runner_crons cron JOIN runner_functions fn ON fn.id = cron.function_id AND fn.is_active
       WHERE cron.due_at <= now() AND ${IS_OWN} ORDER BY cron.due_at FOR UPDATE OF cron SKIP LOCKED`,
      [registry.ownIds],
    );
    for (const { function_id: functionId, expression, due_at: dueAt, now } of rows) {
      // Not by its time: a tick that a clock which was ahead has had would then start nothing when it is due.
      const id = typeid("evt").toString();
      const event = makeEvent({ name: TICK_EVENT, id, data: { cron: expression }, ts: dueAt.getTime() });
      await insertEvents(sql, registry, [{ ...event, onlyFunctionId: functionId }]);
      await sql.query("UPDATE runner_crons SET due_at = $3 WHERE function_id = $1 AND expression = $2", [
        functionId,
        expression,
        nextTick(parseCron(expression), now),
      ]);
    }
    await bringBack(sql, registry.ownIds);
    return { fired: rows.length, nextMs: await untilNext(sql, registry.ownIds) };
  });
}

/**
 * A clock that was ahead for a while leaves ticks that are further off than the expression says: until they come, nothing would
 * run. One that was ahead by no more than a tick leaves the one after it, and what it had is not had twice.
 */
async function bringBack(sql: Sql, ownIds: string[] | undefined): Promise<void> {
  const { rows } = await sql.query<{ function_id: string; expression: string; due_at: Date; now: Date }>(
    `SELECT *, now() AS now FROM runner_crons cron WHERE due_at > now() AND ${IS_OWN}`,
    [ownIds],
  );
  for (const { function_id: functionId, expression, due_at: dueAt, now } of rows) {
    const cron = parseCron(expression);
    const next = nextTick(cron, now);
    if (nextTick(cron, next) < dueAt) {
      await sql.query(
        "UPDATE runner_crons SET due_at = $3 WHERE function_id = $1 AND expression = $2 AND due_at > $3",
        [functionId, expression, next],
      );
    }
  }
}

async function untilNext(sql: Sql, ownIds: string[] | undefined): Promise<number | undefined> {
  const { rows } = await sql.query<{ ms: number | null }>(
    `SELECT extract(epoch FROM min(cron.due_at) - clock_timestamp())::float8 * 1000 AS ms
     FROM runner_crons cron JOIN runner_functions fn ON fn.id = cron.function_id AND fn.is_active
     WHERE ${IS_OWN}`,
    [ownIds],
  );
  return rows[0]?.ms ?? undefined;
}
