import type pg from "pg";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { isItemOf, retryDeadlocks } from "@/inngest/embedded/database";

const HELD = `held AS MATERIALIZED (
  SELECT item.run_id, item.step_id FROM unnest($1::text[], $2::text[], $3::int[]) AS mine (run_id, step_id, generation)
  JOIN runner_items item ON ${isItemOf("mine")} AND item.generation = mine.generation
  FOR UPDATE OF item SKIP LOCKED
)`;

/** Keeps a runner's leases, and takes back what others let go. */
export class LeaseKeeper {
  #lastBeatAt = Date.now();
  #reclaimAt = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly leaseMs: number,
  ) {}

  /** Prolongs the leases of `items`, then puts back what others let go; call it a few times per lease. Returns how many. */
  async keep(items: ClaimedItem[]): Promise<number> {
    await prolongLeases(this.pool, items, this.leaseMs);
    // The machine's clock, for it goes on while the machine sleeps.
    const now = Date.now();
    const sinceBeat = now - this.#lastBeatAt;
    // After a time without beats (database away, process stopped) all runners get time to prolong theirs first. A clock that
    // is set looks the same; one that is set back had them wait for as long as it was ahead.
    if (sinceBeat < 0 || sinceBeat > this.leaseMs) this.#reclaimAt = now + this.leaseMs;
    this.#lastBeatAt = now;
    return now < this.#reclaimAt ? 0 : reclaimExpired(this.pool);
  }
}

/** Prolongs the leases of items that are still being called. */
export async function prolongLeases(pool: pg.Pool, items: ClaimedItem[], leaseMs: number): Promise<void> {
  if (items.length === 0) return;
  const text = `WITH ${HELD} UPDATE runner_items item SET leased_until = now() + $4 * interval '1 millisecond'
    FROM held WHERE ${isItemOf("held")}`;
  await retryDeadlocks(() => pool.query({ name: "runner-prolong", text, values: [...columnsOf(items), leaseMs] }));
}

/** Gives items back that this runner will not finish; late replies to them are refused from now on. */
export async function releaseLeases(pool: pg.Pool, items: ClaimedItem[]): Promise<void> {
  if (items.length === 0) return;
  const text = `WITH ${HELD} UPDATE runner_items item SET state = 'ready', generation = generation + 1, leased_until = NULL
    FROM held WHERE ${isItemOf("held")}`;
  await retryDeadlocks(() => pool.query({ name: "runner-release", text, values: columnsOf(items) }));
}

/** Puts items back whose runner let the lease run out; returns how many. */
export async function reclaimExpired(pool: pg.Pool): Promise<number> {
  const { rowCount } = await retryDeadlocks(() =>
    pool.query({
      name: "runner-reclaim",
      text: `
        WITH expired AS MATERIALIZED (
          SELECT run_id, step_id FROM runner_items WHERE state = 'leased' AND leased_until < now() FOR UPDATE SKIP LOCKED
        )
        UPDATE runner_items item SET state = 'ready', generation = generation + 1, losses = losses + 1, leased_until = NULL
        FROM expired WHERE ${isItemOf("expired")}`,
    }),
  );
  return rowCount ?? 0;
}

function columnsOf(items: ClaimedItem[]): [string[], string[], number[]] {
  return [
    items.map(({ runId }) => runId),
    items.map(({ stepId }) => stepId),
    items.map(({ generation }) => generation),
  ];
}
