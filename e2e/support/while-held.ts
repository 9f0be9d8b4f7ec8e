import { expect } from "vitest";
import { db } from "@/lib/db/pool";
import { timesTurnedBack } from "@/lib/db/turned-back";

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/**
 * Runs acts one after the other into a lock that another transaction holds, and lets them go on once each of them waits. None of
 * them may be turned back by the database: a second try would hide that rows are taken in different orders.
 * @param meanwhile what happens when all of them wait
 * @param statement of the other transaction, with the `id` of the row, if it is about one, as `$1`; what it changes is there when they go on
 */
export async function whileHeld<T extends unknown[]>(
  { statement, id, meanwhile }: { statement: string; id?: string; meanwhile?: () => Promise<unknown> },
  ...acts: { [K in keyof T]: () => Promise<T[K]> }
): Promise<{ [K in keyof T]: PromiseSettledResult<T[K]> }> {
  const before = timesTurnedBack().count;
  const holder = await db().connect();
  try {
    await holder.query("BEGIN");
    await holder.query(statement, id === undefined ? [] : [id]);
    const running: Promise<unknown>[] = [];
    for (const act of acts) {
      const one = act();
      one.catch(() => {});
      running.push(one);
      await expect.poll(async () => (await db().query(WAITING)).rowCount, { interval: 20 }).toBe(running.length);
    }
    await meanwhile?.();
    await holder.query("COMMIT");
    const results = (await Promise.allSettled(running)) as { [K in keyof T]: PromiseSettledResult<T[K]> };
    expect(timesTurnedBack().count, "transactions that ended in a deadlock").toBe(before);
    return results;
  } finally {
    // Where an act did not wait: the row is let go, unchanged.
    await holder.query("ROLLBACK").catch(() => {});
    holder.release();
  }
}
