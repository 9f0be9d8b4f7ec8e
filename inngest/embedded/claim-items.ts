import type pg from "pg";
import { inTransaction, isItemOf, isKey, type Sql } from "@/inngest/embedded/database";
import { findFullKeys, planClaims, type ReadyLane, Turns } from "@/inngest/embedded/plan-claims";
import { functionOf } from "@/inngest/embedded/read-config";

/** An item this runner holds, with all that its call needs. */
export interface ClaimedItem {
  runId: string;
  stepId: string;
  functionId: string;
  isSleep: boolean;
  attempt: number;
  losses: number;
  generation: number;
  /** Canonical JSON. */
  event: string;
  /** Steps done so far, in order of completion. */
  memos: { stepId: string; output: string }[];
}

export interface Claim {
  items: ClaimedItem[];
  /** Whether all that is ready was looked at; otherwise another claim may find more at once. */
  isComplete: boolean;
  /** Whether ready items were left: no free place, or their limits are reached. */
  hasBacklog: boolean;
  /** The concurrency keys under which this runner alone runs as much as may run: until something of it ends, no more may. */
  fullKeys: Set<string>;
  /** Until the next sleeping item is due; undefined when none sleeps. */
  nextDueMs: number | undefined;
}

/** Serializes claims among runners, so that running items can be counted: concurrency limits hold across all of them. */
const CLAIM_LOCK = 7_272_021;
const MAX_LANES = 500;
/**
 * How far the ready items of one lane are counted at most, whatever place there is: a lane within its limits takes fewer, and
 * counting a long one to its end each time would cost more than all the rest. Where more could be taken, the next claim does.
 */
const MAX_COUNTED = 100;

export const LOCK_CLAIMS = `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`;

const BEGIN_CLAIM = `BEGIN; ${LOCK_CLAIMS};
  UPDATE runner_items SET state = 'ready' WHERE state = 'waiting' AND due_at <= now()`;

/** Takes due items for one runner. */
export class Claimer {
  /** Where the next look at the lanes begins, when there are more than one look can hold. */
  #cursor = "";
  readonly #turns = new Turns();

  constructor(
    private readonly pool: pg.Pool,
    private readonly runnerId: string,
    private readonly leaseMs: number,
    private readonly limitOf: (key: string) => number | undefined,
    /** Whether runs of a function are for this runner: those of another version's are left in the queue. */
    private readonly isForHere: (functionId: string) => boolean = () => true,
  ) {}

  /** Takes up to `free` items, fairly among lanes and within all concurrency limits. */
  claim(free: number): Promise<Claim> {
    return inTransaction(this.pool, (sql, sendCommit) => this.#claim(sql, free, sendCommit), BEGIN_CLAIM);
  }

  async #claim(sql: Sql, free: number, sendCommit: () => void): Promise<Claim> {
    let isWrapped = this.#cursor === "";
    const most = Math.min(free + 1, MAX_COUNTED);
    for (;;) {
      const { lanes: all, running, isShared, nextDueMs } = await readQueue(sql, this.#cursor, most, this.runnerId);
      const counted = maxCounted(most, all.length);
      const isCut = all.length === MAX_LANES;
      const isComplete = !isCut && isWrapped;
      isWrapped ||= !isCut;
      this.#cursor = isCut ? (all.at(-1)?.lane ?? "") : "";
      const lanes = all.filter(({ lane }) => this.isForHere(functionOf(lane)));
      const granted = planClaims(lanes, running, this.limitOf, free, this.#turns);
      if (granted.size === 0 && !isComplete) continue;
      const leased = granted.size > 0 ? leaseItems(sql, granted, this.runnerId, this.leaseMs) : [];
      sendCommit();
      const items = await leased;
      this.#turns.note(granted.keys());
      for (const [lane, count] of granted) running.set(lane, (running.get(lane) ?? 0) + count);
      const ready = lanes.reduce((sum, lane) => sum + lane.ready, 0);
      const isUncounted = lanes.some((lane) => lane.ready >= counted && granted.get(lane.lane) === lane.ready);
      return {
        items,
        isComplete: isComplete && !isUncounted,
        hasBacklog: !isComplete || isUncounted || ready > items.length,
        fullKeys: isShared ? new Set() : findFullKeys(running, this.limitOf),
        nextDueMs,
      };
    }
  }
}

/** How far a lane's ready items are counted: the more lanes there are, the fewer of each can be taken. */
function maxCounted(max: number, lanes: number): number {
  return Math.min(max, 2 + Math.floor((2 * max) / Math.max(1, lanes)));
}

/** One hop of the index per lane, however many items each holds; `maxCounted` says how far they are counted. */
async function readQueue(sql: Sql, cursor: string, maxReady: number, runnerId: string) {
  const { rows } = await sql.query<{
    lanes: ReadyLane[] | null;
    running: [string, number][] | null;
    is_shared: boolean | null;
    next_due_ms: number | null;
  }>({
    name: "runner-read-queue",
    text: `
      WITH RECURSIVE lanes (lane, n) AS (
        (SELECT lane, 1 FROM runner_items WHERE state = 'ready' AND lane > $1 ORDER BY lane LIMIT 1)
        UNION ALL
        SELECT next.lane, lanes.n + 1 FROM lanes, LATERAL (
          SELECT lane FROM runner_items WHERE state = 'ready' AND lane > lanes.lane ORDER BY lane LIMIT 1
        ) next WHERE lanes.n < ${MAX_LANES}
      )
      SELECT
        (SELECT json_agg(json_build_object('lane', lane, 'ready', ready, 'oldestDueAt', extract(epoch FROM oldest) * 1000))
         FROM lanes, LATERAL (
           SELECT count(*) AS ready, min(due_at) AS oldest FROM (
             SELECT due_at FROM runner_items WHERE state = 'ready' AND lane = lanes.lane ORDER BY due_at
             LIMIT least($2::int, 2 + 2 * $2::int / (SELECT count(*) FROM lanes))
           ) head
         ) counted) AS lanes,
        leased.running, leased.is_shared,
        (SELECT extract(epoch FROM min(due_at) - now())::float8 * 1000 FROM runner_items WHERE state = 'waiting') AS next_due_ms
      FROM (
        SELECT json_agg(json_build_array(lane, count)) AS running, bool_or(is_shared) AS is_shared FROM (
          SELECT lane, count(*), bool_or(runner_id IS DISTINCT FROM $3) AS is_shared
          FROM runner_items WHERE state = 'leased' GROUP BY lane
        ) lane
      ) leased`,
    values: [cursor, maxReady, runnerId],
  });
  const [row] = rows;
  return {
    lanes: row?.lanes ?? [],
    running: new Map(row?.running ?? []),
    isShared: row?.is_shared ?? false,
    nextDueMs: row?.next_due_ms ?? undefined,
  };
}

async function leaseItems(
  sql: Sql,
  granted: Map<string, number>,
  runnerId: string,
  leaseMs: number,
): Promise<ClaimedItem[]> {
  const { rows } = await sql.query<ClaimedItem & { memos: ClaimedItem["memos"] | null }>({
    name: "runner-lease-items",
    text: `
      WITH picked AS (
        SELECT head.run_id, head.step_id FROM unnest($1::text[], $2::int[]) AS granted (lane, amount), LATERAL (
          SELECT run_id, step_id FROM runner_items WHERE state = 'ready' AND lane = granted.lane
          ORDER BY due_at, run_id LIMIT granted.amount FOR UPDATE SKIP LOCKED
        ) head
      ), leased AS (
        UPDATE runner_items item SET state = 'leased', generation = generation + 1, runner_id = $3,
          leased_until = now() + $4 * interval '1 millisecond'
        FROM picked WHERE ${isItemOf("picked")}
        RETURNING item.run_id, item.step_id, is_sleep, attempt, losses, generation, due_at
      )
      SELECT run_id AS "runId", step_id AS "stepId", run.function_id AS "functionId", is_sleep AS "isSleep", attempt, losses,
        generation, event.payload AS event,
        (SELECT json_agg(json_build_object('stepId', s.step_id, 'output', s.output) ORDER BY s.position)
         FROM runner_steps s WHERE s.run_id = leased.run_id) AS memos
      FROM leased JOIN runner_runs run ON ${isKey("run.id", "leased.run_id")}
        JOIN runner_events event ON ${isKey("event.id", "run.event_id")}
      ORDER BY due_at`,
    values: [[...granted.keys()], [...granted.values()], runnerId, leaseMs],
  });
  return rows.map((row) => ({ ...row, memos: row.memos ?? [] }));
}
