import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { type ClaimedItem, Claimer } from "@/inngest/embedded/claim-items";
import { openPool } from "@/inngest/embedded/database";
import { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { planWork } from "@/inngest/embedded/insert-events";
import { makeEvent } from "@/inngest/embedded/read-events";
import { type StartPlaces, startAtOnce } from "@/inngest/embedded/start-at-once";
import { EventStore } from "@/inngest/embedded/store-events";

let pool: Pool;
let registry: FunctionRegistry;
let serial = 0;

const database = useDatabase();

beforeAll(async () => {
  pool = openPool(database.url);
  registry = new FunctionRegistry(pool);
  const concurrency = [
    { key: "", path: [], limit: 10 },
    { key: "event.data.account", path: ["account"], limit: 3 },
  ];
  await registry.store("app", [
    { id: "app-work", maxAttempts: 1, events: [{ name: "work" }], crons: [], concurrency },
    { id: "app-free", maxAttempts: 1, events: [{ name: "free" }], crons: [], concurrency: [] },
  ]);
});
afterAll(() => pool.end());
beforeEach(() => pool.query("TRUNCATE runner_items, runner_runs, runner_events, outbox_events CASCADE"));

/** Events with a row in the outbox each. */
async function eventsOf(name: string, account: string, count: number) {
  const events = Array.from({ length: count }, () =>
    makeEvent({ name, id: `evt_${++serial}`, data: { account }, ts: Date.now() }),
  );
  await pool.query("INSERT INTO outbox_events (id, name, data) SELECT id, $2, '{}' FROM unnest($1::text[]) AS id", [
    events.map(({ id }) => id),
    name,
  ]);
  return events;
}

/** A runner with so many places; `started` are the items that it was given. */
function runnerWith(count: number) {
  const started: ClaimedItem[] = [];
  const expected: string[] = [];
  const passed: string[] = [];
  let free = count;
  const places: StartPlaces = {
    runnerId: `rnr_${++serial}`,
    leaseMs: 5_000,
    limitOf: (key) => registry.limitOf(key),
    isOwn: (functionId) => registry.isOwn(functionId),
    reserve(wanted) {
      if (wanted > free) return null;
      free -= wanted;
      return (items) => {
        free += wanted - items.length;
        started.push(...items);
      };
    },
    expect({ payload }) {
      expected.push(payload);
      return () => void expected.splice(expected.indexOf(payload), 1);
    },
    pass: ({ payload }) => void passed.push(payload),
  };
  const start = (events: Awaited<ReturnType<typeof eventsOf>>) =>
    startAtOnce(pool, places, "outbox_events", planWork(registry, events), events.map(({ id }) => id).sort());
  return { start, started, expected, passed, places, free: () => free };
}

async function itemsByState() {
  const { rows } = await pool.query("SELECT state, count(*)::int AS count FROM runner_items GROUP BY state");
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const outboxSize = async () => (await pool.query("SELECT 1 FROM outbox_events")).rowCount;

describe("runs of events that are moved into an empty queue", () => {
  it("are leased as they are stored, as a look at the queue would have leased them", async () => {
    const runner = runnerWith(10);
    const events = await eventsOf("work", "a", 2);
    expect(await runner.start(events)).toBe(true);
    expect(runner.started.map(({ event }) => event).sort()).toEqual(events.map(({ payload }) => payload).sort());
    expect(await outboxSize()).toBe(0);
    const { rows } = await pool.query("SELECT * FROM runner_items ORDER BY run_id");
    expect(rows.map((row) => row.run_id)).toEqual(runner.started.map(({ runId }) => runId).sort());
    for (const row of rows)
      expect(row).toMatchObject({ state: "leased", runner_id: runner.places.runnerId, generation: 1 });
    expect((await new Claimer(pool, "other", 1_000, () => undefined).claim(5)).items).toEqual([]);
  });

  it("are none for an event that somebody else has moved", async () => {
    const runner = runnerWith(10);
    const events = await eventsOf("work", "a", 2);
    expect(await runner.start(events)).toBe(true);
    expect(await runner.start(events)).toBe(true);
    expect(runner.started).toHaveLength(2);
    expect(runner.free()).toBe(8);
  });

  it("are expected while the database is asked, and afterwards only those that it let start", async () => {
    const [runner, busy] = [runnerWith(10), runnerWith(0)];
    const events = await eventsOf("work", "a", 2);
    const starting = runner.start(events);
    expect(runner.expected).toHaveLength(2);
    expect(await starting).toBe(true);
    await runner.start(events);
    expect(await runner.start(await eventsOf("work", "a", 2))).toBe(false);
    expect(runner.expected.sort()).toEqual(runner.started.map(({ event }) => event).sort());
    expect(await busy.start(await eventsOf("free", "a", 1))).toBeNull();
    expect(busy.expected).toEqual([]);
  });

  it("stay in the outbox when there is no place for all of them", async () => {
    const runner = runnerWith(1);
    expect(await runner.start(await eventsOf("free", "a", 2))).toBeNull();
    expect(await outboxSize()).toBe(2);
    expect(await itemsByState()).toEqual({});
  });

  it("stay in the outbox when the function of one is not here, or its time has not come", async () => {
    const runner = runnerWith(10);
    const [first, later] = await eventsOf("free", "a", 2);
    if (!first || !later) throw new Error("Two events were expected.");
    expect(await runner.start([first, { ...later, startAt: Date.now() + 60_000 }])).toBeNull();
    runner.places.isOwn = (functionId) => functionId !== "app-free";
    expect(await runner.start([...(await eventsOf("work", "a", 1)), first])).toBeNull();
    expect([runner.free(), runner.expected, await outboxSize()]).toEqual([10, [], 3]);
  });

  it("give their places back when whoever expects them fails", async () => {
    const runner = runnerWith(5);
    const [first, second] = await eventsOf("free", "a", 2);
    const { expect: hear } = runner.places;
    runner.places.expect = (event) => {
      if (event === second) throw new Error("not now");
      return hear?.(event);
    };
    await expect(runner.start([first, second] as NonNullable<typeof first>[])).rejects.toThrow("not now");
    expect([runner.free(), runner.expected]).toEqual([5, []]);
    expect(await outboxSize()).toBe(2);
  });

  it("give their places back when the database refuses them", async () => {
    const runner = runnerWith(5);
    const [event] = await eventsOf("work", "a", 1);
    const broken = { ...event, payload: "\u0000" } as NonNullable<typeof event>;
    await expect(runner.start([broken])).rejects.toThrow();
    expect([runner.free(), runner.expected]).toEqual([5, []]);
    expect(await outboxSize()).toBe(1);
  });
});

describe("runs of events that are moved while others run or wait", () => {
  it("are ready, and nobody's, where a limit would be passed", async () => {
    const runner = runnerWith(20);
    expect(await runner.start(await eventsOf("work", "a", 2))).toBe(true);
    expect(await runner.start(await eventsOf("work", "a", 2))).toBe(false);
    expect(await itemsByState()).toEqual({ leased: 2, ready: 2 });
    expect(runner.started).toHaveLength(2);
    expect(runner.free()).toBe(18);
  });

  it("do not overtake what is ready", async () => {
    const runner = runnerWith(20);
    await runner.start(await eventsOf("work", "a", 3));
    await runner.start(await eventsOf("work", "a", 1));
    expect(await runner.start(await eventsOf("free", "b", 1))).toBe(false);
    expect(await itemsByState()).toEqual({ leased: 3, ready: 2 });
  });

  it("are not asked for when they alone are more than a limit", async () => {
    const runner = runnerWith(20);
    expect(await runner.start(await eventsOf("work", "a", 4))).toBeNull();
  });

  it("never pass a limit, however many runners move at once", async () => {
    const runners = Array.from({ length: 8 }, () => runnerWith(20));
    const batches = await Promise.all(runners.map((_, index) => eventsOf("work", `account ${index % 4}`, 2)));
    await Promise.all(runners.map((runner, index) => runner.start(batches[index] ?? [])));
    const { rows } = await pool.query(
      "SELECT lane, count(*)::int AS count FROM runner_items WHERE state = 'leased' GROUP BY 1",
    );
    expect(rows.every(({ count }) => count <= 3)).toBe(true);
    const { leased = 0, ready = 0 } = await itemsByState();
    expect(leased).toBeLessThanOrEqual(10);
    expect(leased).toBeGreaterThan(0);
    expect(leased + ready).toBe(16);
    expect(runners.flatMap(({ started }) => started)).toHaveLength(leased);
  });
});

describe("events that a store moves", () => {
  it("are told of as waiting when they are moved without being started, and only then", async () => {
    const runner = runnerWith(2);
    const woken: string[][] = [];
    const onStored = (lanes: string[]) => void woken.push(lanes);
    const store = new EventStore({ pool, registry, outboxTable: "outbox_events", places: runner.places, onStored });
    const begun = await eventsOf("work", "a", 2);
    await store.add(begun, { isMoved: true });
    expect([runner.passed, woken]).toEqual([[], []]);
    const late = await eventsOf("work", "b", 1);
    await store.add(late, { isMoved: true });
    expect(runner.passed).toEqual(late.map(({ payload }) => payload));
    expect(woken).toHaveLength(1);
    expect(runner.started).toHaveLength(2);
    expect(await outboxSize()).toBe(0);
  });
});

describe("a look at the queue", () => {
  const look = (runnerId: string) =>
    new Claimer(pool, runnerId, 5_000, (key) => registry.limitOf(key)).claim(20).then(({ fullKeys }) => fullKeys.size);

  it("tells what is full when all that runs is the looker's own, and nothing when others may make room", async () => {
    const runner = runnerWith(20);
    await runner.start(await eventsOf("work", "a", 2));
    expect(await look(runner.places.runnerId)).toBe(0);
    await runner.start(await eventsOf("work", "a", 1));
    await runner.start(await eventsOf("work", "a", 1));
    expect(await look(runner.places.runnerId)).toBe(1);
    expect(await look("other")).toBe(0);
  });
});
