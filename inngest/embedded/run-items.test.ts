import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import type { FunctionCaller } from "@/inngest/embedded/call-function";
import { Claimer } from "@/inngest/embedded/claim-items";
import { openPool } from "@/inngest/embedded/database";
import { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { insertEvents } from "@/inngest/embedded/insert-events";
import { readRegistration } from "@/inngest/embedded/read-config";
import { makeEvent } from "@/inngest/embedded/read-events";
import { ItemRunner } from "@/inngest/embedded/run-items";

const LEASE_MS = 60_000;
let pool: Pool;

const database = useDatabase();

beforeAll(() => {
  pool = openPool(database.url);
});
afterEach(() => vi.useRealTimers());
afterAll(() => pool.end());

/** A runner beside another's item whose lease ran out; of each time that goes by until a beat, what became of the item. */
async function startBeside() {
  await pool.query("TRUNCATE runner_events, runner_runs, runner_items");
  const registry = new FunctionRegistry(pool);
  const functions = [{ id: "app-fn", triggers: [{ event: "go" }], steps: { step: {} } }];
  await registry.store("app", readRegistration({ appName: "app", functions }).functions);
  await insertEvents(pool, registry, [makeEvent({ name: "go", id: "e", data: {}, ts: 1 })]);
  await new Claimer(pool, "another", -1_000, () => undefined).claim(1);
  const state = async () => (await pool.query("SELECT state FROM runner_items")).rows[0]?.state;
  vi.useFakeTimers({ toFake: ["Date"] });
  const runner = new ItemRunner({
    ...{ pool, registry, runnerId: "me", leaseMs: LEASE_MS, retryBaseMs: 0, concurrency: 1 },
    caller: {} as FunctionCaller,
    log: () => {},
    isAppThere: () => false,
    onAppAway: () => {},
    tellOthers: () => {},
  });
  const beatAfter = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    await runner.beat();
    return state();
  };
  return { beatAfter, stop: () => runner.stop(0) };
}

it("gives all runners the time of a lease to prolong theirs after an outage, and only then takes work back", async () => {
  const { beatAfter, stop } = await startBeside();
  expect(await beatAfter(LEASE_MS + 1)).toBe("leased");
  expect(await beatAfter(LEASE_MS - 1)).toBe("leased");
  expect(await beatAfter(1)).toBe("ready");
  await stop();
});

it("takes work back a lease after its machine's clock was set back, not only when that is as late again", async () => {
  const { beatAfter, stop } = await startBeside();
  expect(await beatAfter(3_600_000)).toBe("leased");
  expect(await beatAfter(-3_600_000)).toBe("leased");
  expect(await beatAfter(LEASE_MS - 1)).toBe("leased");
  expect(await beatAfter(1)).toBe("ready");
  await stop();
});
