import type pg from "pg";
import { isItemOf, type Sql } from "@/inngest/embedded/database";

/** A lease that lasts for so many of this runner's is none that another has set, whatever its settings. */
const LONGEST_LEASES = 20;

/**
 * Brings back to now what a clock that was ahead for a while has left in the queue: waits that end later than any lasts, and
 * leases that nobody can have taken. Until then, which may be years away, their work would wait, and leased items would keep
 * the places of their function. Who still holds such a lease prolongs it in time; of a runner that is gone it runs out.
 * @param longestMs longer than anything waits
 * @returns how many waits are over
 */
export async function bringBackWaits(pool: Pick<pg.Pool, "query">, longestMs: number, leaseMs: number) {
  await pool.query({
    name: "runner-bring-leases-back",
    text: `UPDATE runner_items SET leased_until = now() + $2 * interval '1 millisecond'
           WHERE state = 'leased' AND leased_until > now() + $1 * interval '1 millisecond'`,
    values: [LONGEST_LEASES * leaseMs, leaseMs],
  });
  const { rowCount } = await pool.query({
    name: "runner-bring-waits-back",
    text: `UPDATE runner_items SET due_at = now()
           WHERE state = 'waiting' AND due_at > now() + $1 * interval '1 millisecond'`,
    values: [longestMs],
  });
  return rowCount ?? 0;
}

/**
 * Shortens what waits by as much as the clock was ahead when it began to: a retry of seconds would take hours. What began before
 * that comes earlier by the same.
 * @returns how many waits
 */
export async function shortenWaits(sql: Sql, aheadMs: number): Promise<number> {
  // Whoever holds an item is about to take it.
  const { rowCount } = await sql.query(
    `WITH waiting AS (
       SELECT run_id, step_id FROM runner_items WHERE state = 'waiting' AND due_at > now() FOR UPDATE SKIP LOCKED)
     UPDATE runner_items item SET due_at = greatest(now(), item.due_at - $1 * interval '1 millisecond')
     FROM waiting WHERE ${isItemOf("waiting")}`,
    [aheadMs],
  );
  return rowCount ?? 0;
}
