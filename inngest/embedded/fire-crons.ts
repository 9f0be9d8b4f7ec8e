import type pg from "pg";
import { typeid } from "typeid-js";
import { shortenWaits } from "@/inngest/embedded/bring-back";
import { nextTick, parseCron } from "@/inngest/embedded/cron";
import { inTransaction, type Sql } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { insertEvents } from "@/inngest/embedded/insert-events";
import { INTERNAL_EVENT_PREFIX, makeEvent } from "@/inngest/embedded/read-events";

const TICK_EVENT = `${INTERNAL_EVENT_PREFIX}scheduled.timer`;

export interface CronResult {
  fired: number;
  /** How many waits of the queue were shortened, for the clock was ahead when they began. */
  shortened: number;
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
    const aheadMs = await bringBack(sql, registry.ownIds);
    const shortened = aheadMs > 0 ? await shortenWaits(sql, aheadMs) : 0;
    return { fired: rows.length, shortened, nextMs: await untilNext(sql, registry.ownIds) };
  });
}

interface FarTick {
  functionId: string;
  expression: string;
  next: Date;
  /** How far the clock was ahead of now, at least: the tick was set after the one before it. */
  aheadMs: number;
}

/**
 * A clock that was ahead for a while leaves ticks that are further off than the expression says: until they come, nothing would
 * run. One that was ahead by no more than a tick leaves the one after it, and what it had is not had twice.
 * @returns how far the clock was ahead, to the nearest tick below; 0 where it was not, or another runner has seen to it
 */
async function bringBack(sql: Sql, ownIds: string[] | undefined): Promise<number> {
  if ((await findFarTicks(sql, ownIds)).length === 0) return 0;
  // Of two runners that see it the second waits here, and then sees it no more.
  const far = await findFarTicks(sql, ownIds, "ORDER BY function_id, expression FOR UPDATE");
  for (const { functionId, expression, next } of far) {
    const set = "UPDATE runner_crons SET due_at = $3 WHERE function_id = $1 AND expression = $2";
    await sql.query(set, [functionId, expression, next]);
  }
  return Math.max(0, ...far.map(({ aheadMs }) => aheadMs));
}

async function findFarTicks(sql: Sql, ownIds: string[] | undefined, lock = ""): Promise<FarTick[]> {
  const { rows } = await sql.query<{ function_id: string; expression: string; due_at: Date; now: Date }>(
    `SELECT *, now() AS now FROM runner_crons cron WHERE due_at > now() AND ${IS_OWN} ${lock}`,
    [ownIds],
  );
  return rows.flatMap(({ function_id: functionId, expression, due_at: dueAt, now }) => {
    const cron = parseCron(expression);
    const next = nextTick(cron, now);
    if (nextTick(cron, next) >= dueAt) return [];
    const tickMs = nextTick(cron, dueAt).getTime() - dueAt.getTime();
    return [{ functionId, expression, next, aheadMs: dueAt.getTime() - tickMs - now.getTime() }];
  });
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
