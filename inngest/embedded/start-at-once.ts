import type pg from "pg";
import { type ClaimedItem, LOCK_CLAIMS } from "@/inngest/embedded/claim-items";
import { inTransaction } from "@/inngest/embedded/database";
import {
  DISCOVERY,
  IS_MOVED,
  insertText,
  movedFrom,
  type NewRun,
  type NewWork,
  valuesOf,
} from "@/inngest/embedded/insert-events";
import type { NewEvent } from "@/inngest/embedded/read-events";

/** A runner's free places for runs that start as they are stored. */
export interface StartPlaces {
  runnerId: string;
  leaseMs: number;
  limitOf(key: string): number | undefined;
  /** Whether a function can be called here. */
  isOwn(functionId: string): boolean;
  /**
   * Sets places aside; null when there are not so many, or when work waits for them. What is returned is called once: it gives
   * back the places, and starts the items.
   */
  reserve(count: number): ((items: ClaimedItem[]) => void) | null;
  /**
   * Hears of an event whose run starts here if the database agrees, so that its work can be got ready meanwhile. What is returned
   * is called when the run does not start.
   */
  expect?(event: NewEvent): (() => void) | undefined;
  /** Hears of an event that was moved without its run being started here. */
  pass?(event: NewEvent): void;
}

/**
 * Moves events, and leases the runs that they start in the same statement: when nothing else is ready, and all of them are within
 * their limits, a look at the queue could only find the same. Else they are ready, as any others.
 * @returns whether the runs were started; null when there was no place, and nothing was done
 */
export async function startAtOnce(
  pool: pg.Pool,
  places: StartPlaces,
  table: string,
  work: NewWork,
  movedIds: string[],
): Promise<boolean | null> {
  const bounds = boundsOf(work.runs, places.limitOf);
  if (!bounds || work.runs.some(({ event, functionId }) => event.startAt !== undefined || !places.isOwn(functionId)))
    return null;
  const start = places.reserve(work.runs.length);
  if (!start) return null;
  const forgets = new Map<string, (() => void) | undefined>();
  let items: ClaimedItem[] = [];
  try {
    for (const { id, event } of work.runs) forgets.set(id, places.expect?.(event));
    const { runnerId, leaseMs } = places;
    const values = [...valuesOf(work), movedIds, runnerId, leaseMs, [...bounds.keys()], [...bounds.values()]];
    const { rows } = await inTransaction(
      pool,
      (sql, sendCommit) => {
        const moving = sql.query<{ runId: string; isLeased: boolean }>({ ...textFor(table), values });
        sendCommit();
        return moving;
      },
      `BEGIN; ${LOCK_CLAIMS}`,
    );
    const leased = new Set(rows.flatMap(({ runId, isLeased }) => (isLeased ? [runId] : [])));
    items = work.runs.filter(({ id }) => leased.has(id)).map(firstItem);
    return items.length === rows.length;
  } finally {
    for (const { runId } of items) forgets.delete(runId);
    for (const forget of forgets.values()) forget?.();
    start(items);
  }
}

/** Of each limited key how many may be running already; null when the runs are too many by themselves. */
function boundsOf(runs: NewRun[], limitOf: (key: string) => number | undefined): Map<string, number> | null {
  const bounds = new Map<string, number>();
  for (const key of runs.flatMap(({ lane }) => lane.split("\n"))) {
    const left = bounds.get(key) ?? limitOf(key);
    if (left !== undefined) bounds.set(key, left - 1);
  }
  return [...bounds.values()].some((bound) => bound < 0) ? null : bounds;
}

function textFor(table: string) {
  return {
    name: "runner-start-at-once",
    text: insertText({
      with: `${movedFrom(table)}place AS MATERIALIZED (
        SELECT NOT EXISTS (SELECT FROM runner_items WHERE state = 'ready') AND NOT EXISTS (
          SELECT FROM (
            SELECT key, count(*) AS running FROM runner_items, unnest(string_to_array(lane, E'\\n')) AS key
            WHERE state = 'leased' GROUP BY key
          ) used JOIN unnest($12::text[], $13::int[]) AS bound (key, most) ON bound.key = used.key
          WHERE used.running > bound.most
        ) AS is_free
      ), `,
      where: IS_MOVED,
      columns: ", runner_id, leased_until",
      values: `CASE WHEN place.is_free THEN 'leased' ELSE 'ready' END, CASE WHEN place.is_free THEN $10 END,
        CASE WHEN place.is_free THEN now() + $11 * interval '1 millisecond' END`,
      from: ", place",
      returning: `RETURNING run_id AS "runId", state = 'leased' AS "isLeased"`,
    }),
  };
}

function firstItem({ id, functionId, event }: NewRun): ClaimedItem {
  return {
    runId: id,
    stepId: DISCOVERY,
    functionId,
    isSleep: false,
    attempt: 0,
    losses: 0,
    generation: 1,
    event: event.payload,
    memos: [],
  };
}
