import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { LeaseKeeper } from "@/inngest/embedded/keep-leases";

const LEASE_MS = 5_000;
const HOUR_MS = 3_600_000;

const database = useDatabase();
let pool: Pool;
beforeAll(() => {
  pool = new Pool({ connectionString: database.url, max: 1 });
});
afterAll(() => pool.end());
afterEach(() => vi.restoreAllMocks());

describe("what a runner let go that is gone", () => {
  it("is put back in the time of a lease after the machine stood still: its own runner may come back first", async () => {
    const { keeper, at } = await startKeeper();
    at(HOUR_MS);
    expect(await keeper.keep([])).toBe(0);
    at(HOUR_MS + LEASE_MS - 1);
    expect(await keeper.keep([])).toBe(0);
    at(HOUR_MS + LEASE_MS);
    expect(await keeper.keep([])).toBe(1);
  });

  it("is put back as soon where the clock that was ahead was set back", async () => {
    const { keeper, at } = await startKeeper();
    at(HOUR_MS);
    expect(await keeper.keep([])).toBe(0);
    at(0);
    expect(await keeper.keep([])).toBe(0);
    at(LEASE_MS);
    expect(await keeper.keep([])).toBe(1);
  });
});

/** A keeper of whose start on the machine's clock can be set, in milliseconds, and an item whose lease is over. */
async function startKeeper() {
  await pool.query("DELETE FROM runner_items");
  await pool.query(
    `INSERT INTO runner_items (run_id, step_id, lane, state, due_at, leased_until, generation, attempt, losses, is_sleep)
     VALUES ('run', 'step', 'none-fn|', 'leased', now(), now() - interval '1 minute', 0, 0, 0, false)`,
  );
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(startMs);
  return { keeper: new LeaseKeeper(pool, LEASE_MS), at: (ms: number) => void clock.mockReturnValue(startMs + ms) };
}
