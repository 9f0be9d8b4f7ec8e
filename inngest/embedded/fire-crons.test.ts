import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { nextTick, parseCron } from "@/inngest/embedded/cron";
import { openPool } from "@/inngest/embedded/database";
import { fireDueCrons } from "@/inngest/embedded/fire-crons";
import { FunctionRegistry } from "@/inngest/embedded/function-registry";

const DAILY = "30 4 * * *";

let pool: Pool;
let registry: FunctionRegistry;
const database = useDatabase();

beforeAll(() => {
  pool = openPool(database.url);
});
afterAll(() => pool.end());
beforeEach(async () => {
  await pool.query("TRUNCATE runner_functions, runner_crons, runner_runs, runner_items, runner_events CASCADE");
  registry = new FunctionRegistry(pool);
  await registry.store("app", [{ id: "app-sweep", maxAttempts: 1, events: [], crons: [DAILY], concurrency: [] }]);
});

const setDue = (dueAt: Date) => pool.query("UPDATE runner_crons SET due_at = $1", [dueAt]);
const dueAt = async () => (await pool.query<{ due_at: Date }>("SELECT due_at FROM runner_crons")).rows[0]?.due_at;
const runs = async () => (await pool.query("SELECT FROM runner_runs")).rowCount;
const next = (after: Date) => nextTick(parseCron(DAILY), after);

describe("a clock that was ahead and was brought back", () => {
  it("keeps no tick from coming that it had before: sweeps would stand still for as long as it was ahead", async () => {
    const tick = new Date(next(new Date()).getTime() - 24 * 3_600_000);
    for (const count of [1, 2]) {
      await setDue(tick);
      expect((await fireDueCrons(pool, registry)).fired).toBe(1);
      expect(await runs()).toBe(count);
    }
  });

  it("leaves no tick further off than the expression says", async () => {
    const first = next(new Date());
    await setDue(next(next(first)));
    await fireDueCrons(pool, registry);
    expect(await dueAt()).toEqual(first);
  });

  describe("and what waits in the queue", () => {
    const HOUR_MS = 3_600_000;
    beforeEach(async () => {
      const crons = [DAILY, "* * * * *"];
      await registry.store("app", [{ id: "app-sweep", maxAttempts: 1, events: [], crons, concurrency: [] }]);
    });

    /** As a clock that is two hours ahead leaves them. */
    async function leave(waits: Record<string, string>): Promise<void> {
      const ahead = new Date(Date.now() + 2 * HOUR_MS);
      await pool.query("UPDATE runner_crons SET due_at = $1 WHERE expression <> $2", [
        nextTick(parseCron("* * * * *"), ahead),
        DAILY,
      ]);
      for (const [runId, wait] of Object.entries(waits)) {
        await pool.query(
          `INSERT INTO runner_items (run_id, step_id, lane, state, due_at, generation, attempt, losses, is_sleep)
           VALUES ($1, 'step', 'app-sweep|', 'waiting', $2::timestamptz + $3::interval, 0, 0, 0, false)`,
          [runId, ahead, wait],
        );
      }
    }
    const secondsLeft = async () => {
      const text = "SELECT run_id, extract(epoch FROM due_at - now())::int AS left FROM runner_items ORDER BY run_id";
      return Object.fromEntries((await pool.query(text)).rows.map((row) => [row.run_id, row.left]));
    };

    it("waits for no longer than it was to, to a minute", async () => {
      await leave({ retry: "5 seconds", sleep: "30 minutes" });
      expect((await fireDueCrons(pool, registry)).shortened).toBe(2);
      const { retry, sleep } = await secondsLeft();
      expect(retry).toBeLessThanOrEqual(65);
      expect(sleep).toBeGreaterThan(29 * 60);
      expect(sleep).toBeLessThanOrEqual(31 * 60 + 5);
      expect((await fireDueCrons(pool, registry)).shortened).toBe(0);
    });

    it("is shortened once by all runners at once", async () => {
      await leave({ sleep: "2 hours" });
      const seen = await Promise.all(Array.from({ length: 5 }, () => fireDueCrons(pool, registry)));
      expect(seen.reduce((sum, { shortened }) => sum + shortened, 0)).toBe(1);
      expect((await secondsLeft()).sleep).toBeGreaterThan(119 * 60);
    });
  });

  it("has a tick once that it had a moment before: the one after it is due", async () => {
    const second = next(next(new Date()));
    await setDue(second);
    await fireDueCrons(pool, registry);
    expect(await dueAt()).toEqual(second);
  });
});

it("has each tick once for all runners at once", async () => {
  await setDue(new Date(0));
  const fired = await Promise.all(Array.from({ length: 5 }, () => fireDueCrons(pool, registry)));
  expect(fired.reduce((sum, result) => sum + result.fired, 0)).toBe(1);
  expect(await runs()).toBe(1);
});
