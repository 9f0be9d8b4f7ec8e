import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { type ApplyContext, applyOutcome } from "@/inngest/embedded/apply-reply";
import { type ClaimedItem, Claimer } from "@/inngest/embedded/claim-items";
import { openPool } from "@/inngest/embedded/database";
import { makeRunEnder } from "@/inngest/embedded/end-runs";
import { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { insertEvents } from "@/inngest/embedded/insert-events";
import { prolongLeases, reclaimExpired, releaseLeases } from "@/inngest/embedded/keep-leases";
import { readRegistration } from "@/inngest/embedded/read-config";
import { makeEvent } from "@/inngest/embedded/read-events";

/** The transactions by themselves: what a late or repeated reply may not do. */

const LONG_MS = 60_000;
const EXPIRED_MS = -1_000;
let pool: Pool;
let context: ApplyContext;

const database = useDatabase();

beforeAll(async () => {
  pool = openPool(database.url);
  const registry = new FunctionRegistry(pool);
  const functions = [
    { id: "app-fn", triggers: [{ event: "go" }], steps: { step: {} } },
    { id: "app-failed", triggers: [{ event: "inngest/function.failed" }], steps: { step: {} } },
  ];
  await registry.store("app", readRegistration({ appName: "app", functions }).functions);
  context = {
    pool,
    endRun: makeRunEnder(pool),
    registry,
    retryBaseMs: 0,
    leaseMs: LONG_MS,
    maxAttempts: 3,
    isKept: true,
  };
});
afterAll(() => pool.end());
beforeEach(() => pool.query("TRUNCATE runner_events, runner_runs, runner_items, runner_steps"));

const claim = (leaseMs = LONG_MS) =>
  new Claimer(pool, "me", leaseMs, () => undefined).claim(100).then(({ items }) => items);
const items = async () =>
  (await pool.query("SELECT step_id, state, attempt, losses FROM runner_items ORDER BY step_id")).rows;
const plan = (...stepIds: string[]) => ({ kind: "plan" as const, steps: stepIds.map((stepId) => ({ stepId })) });
const memo = (stepId: string) => ({ kind: "memo" as const, stepId, output: '{"data":1}' });

async function startRun(leaseMs?: number, id = "e"): Promise<ClaimedItem> {
  await insertEvents(pool, context.registry, [makeEvent({ name: "go", id, data: {}, ts: 1 })]);
  const [item] = await claim(leaseMs);
  if (!item) throw new Error("nothing claimed");
  return item;
}

/** Of each kind one. */
const OUTCOMES = [
  ["a step", memo("a")],
  ["a plan", plan("a", "b")],
  ["the end", { kind: "done" as const, output: "1" }],
  ["a failure", { kind: "failed" as const, error: {}, isFinal: true }],
  ["an error", { kind: "failed" as const, error: {}, isFinal: false }],
  ["no answer", { kind: "lost" as const, reason: "x" }],
] as const;

describe("a reply", () => {
  it.each(OUTCOMES)("of %s counts once", async (_, outcome) => {
    const item = await startRun();
    expect((await applyOutcome(item, outcome, context)).isStale).toBe(false);
    const after = [await items(), (await pool.query("SELECT * FROM runner_steps")).rows];
    expect((await applyOutcome(item, outcome, context)).isStale).toBe(true);
    expect([await items(), (await pool.query("SELECT * FROM runner_steps")).rows]).toEqual(after);
  });

  it.each([
    ["was not reached", { kind: "away" as const, reason: "ECONNREFUSED" }],
    ["is of another version", { kind: "foreign" as const }],
  ])("of an app that %s is no attempt: however often, the work waits for it", async (_, outcome) => {
    let item: ClaimedItem | undefined = await startRun();
    for (let time = 0; time <= context.maxAttempts; time++) {
      expect(await applyOutcome(item as ClaimedItem, outcome, context)).toEqual({ isStale: false });
      expect(await items()).toEqual([{ step_id: "step", state: "ready", attempt: 0, losses: 0 }]);
      [item] = await claim();
    }
  });

  it("that comes after the lease ran out and another took the work changes nothing", async () => {
    const late = await startRun(EXPIRED_MS);
    expect(await reclaimExpired(pool)).toBe(1);
    const [taken] = await claim();
    expect(taken).toMatchObject({ runId: late.runId, losses: 1 });
    expect((await applyOutcome(late, { kind: "done", output: "1" }, context)).isStale).toBe(true);
    expect((await applyOutcome(taken as ClaimedItem, { kind: "done", output: "2" }, context)).isStale).toBe(false);
    expect((await pool.query("SELECT status, output FROM runner_runs")).rows).toEqual([
      { status: "completed", output: "2" },
    ]);
  });

  it.each([
    ["a step", memo("a")],
    ["a plan", plan("a", "b")],
    ["a failure", { kind: "failed" as const, error: {}, isFinal: true }],
    ["an error", { kind: "failed" as const, error: {}, isFinal: false }],
    ["no answer", { kind: "lost" as const, reason: "x" }],
  ])("of %s that comes so late leaves the work to who has it", async (_, outcome) => {
    const late = await startRun(EXPIRED_MS);
    await reclaimExpired(pool);
    const [taken] = await claim();
    expect((await applyOutcome(late, outcome, context)).isStale).toBe(true);
    expect((await applyOutcome(taken as ClaimedItem, outcome, context)).isStale).toBe(false);
  });

  it("of a planned step that comes so late leaves the step to who has it", async () => {
    await applyOutcome(await startRun(), plan("a"), context);
    const [late] = await claim(EXPIRED_MS);
    await reclaimExpired(pool);
    const [taken] = await claim();
    expect((await applyOutcome(late as ClaimedItem, memo("a"), context)).isStale).toBe(true);
    expect((await applyOutcome(taken as ClaimedItem, memo("a"), context)).isStale).toBe(false);
  });

  it.each([
    ["handed back", (item: ClaimedItem) => releaseLeases(pool, [item])],
    ["taken back", () => reclaimExpired(pool)],
  ])("to work that was %s is refused from then on, also while nobody has it", async (_, giveUp) => {
    const item = await startRun(EXPIRED_MS);
    await giveUp(item);
    expect((await applyOutcome(item, { kind: "done", output: "1" }, context)).isStale).toBe(true);
    expect(await items()).toEqual([expect.objectContaining({ state: "ready" })]);
  });

  it("counts alone among others that come at the same time: each run ends once, by its own last call", async () => {
    const [late, other] = [await startRun(EXPIRED_MS), await startRun(LONG_MS, "f")];
    await reclaimExpired(pool);
    const [taken] = await claim();
    const replies = [late, other, taken as ClaimedItem, other].map((item) =>
      applyOutcome(item, { kind: "done", output: "1" }, context),
    );
    expect((await Promise.all(replies)).map(({ isStale }) => isStale)).toEqual([true, false, false, true]);
    expect(await items()).toEqual([]);
  });

  it.each(OUTCOMES)("of %s is about its own run alone, though another is as far", async (_, outcome) => {
    const [own, other] = [await startRun(), await startRun(LONG_MS, "f")];
    expect((await applyOutcome(own, outcome, context)).isStale).toBe(false);
    const run = await pool.query("SELECT status, pending FROM runner_runs WHERE id = $1", [other.runId]);
    expect(run.rows).toEqual([{ status: "running", pending: 0 }]);
    expect((await applyOutcome(other, memo("b"), context)).isStale).toBe(false);
    const { rows } = await pool.query("SELECT step_id FROM runner_steps WHERE run_id = $1", [other.runId]);
    expect(rows).toEqual([{ step_id: "b" }]);
  });

  it("of a planned step is about its own run alone, though another is as far", async () => {
    const runs = [await startRun(), await startRun(LONG_MS, "f")];
    for (const [index, run] of runs.entries())
      await applyOutcome(run, index === 0 ? plan("a", "b", "c") : plan("a", "b"), context);
    const steps = await claim();
    const [own, others] = runs.map(({ runId }) => steps.filter((step) => step.runId === runId));
    for (const step of own ?? []) await applyOutcome(step, memo(step.stepId), context);
    for (const step of others ?? []) {
      expect(await claim()).toEqual(step === others?.[0] ? [expect.objectContaining({ runId: runs[0]?.runId })] : []);
      expect((await applyOutcome(step, memo(step.stepId), context)).isStale).toBe(false);
    }
    expect(await claim()).toEqual([expect.objectContaining({ runId: runs[1]?.runId })]);
  });

  it("to a former call does not fit a later call of the same run", async () => {
    const former = await startRun();
    await applyOutcome(former, plan("a", "b"), context);
    for (const step of await claim()) await applyOutcome(step, memo(step.stepId), context);
    const [later] = await claim();
    expect(later?.stepId).toBe(former.stepId);
    expect(later?.generation).toBeGreaterThan(former.generation);
    expect((await applyOutcome(former, { kind: "done", output: "1" }, context)).isStale).toBe(true);
  });
});

describe("a call", () => {
  const failed = { kind: "failed" as const, error: { message: "x" }, isFinal: false };
  const lost = { kind: "lost" as const, reason: "x" };

  /** What the queue knows of the one item, and in how many seconds it is due; then it is due, and taken. */
  async function takeNext() {
    const { rows } = await pool.query(
      "SELECT attempt, losses, extract(epoch FROM due_at - now())::float8 AS seconds FROM runner_items",
    );
    expect(await claim(), "nobody's before its time").toEqual([]);
    await pool.query("UPDATE runner_items SET due_at = now()");
    const [item] = await claim();
    return { ...rows[0], item: item as ClaimedItem };
  }

  it("that failed is made again, after the wait that it asks for or else after one that doubles, as often as it may", async () => {
    const slow = { ...context, retryBaseMs: 60_000 };
    await applyOutcome(await startRun(), failed, slow);
    const second = await takeNext();
    expect(second).toMatchObject({ attempt: 1, losses: 0 });
    expect(second.seconds).toBeGreaterThan(45);
    expect(second.seconds).toBeLessThan(75);
    await applyOutcome(second.item, { ...failed, afterMs: 500_000 }, slow);
    const third = await takeNext();
    expect(third).toMatchObject({ attempt: 2 });
    expect(third.seconds).toBeGreaterThan(450);
    expect((await applyOutcome(third.item, failed, slow)).failure).toEqual({ message: "x" });
    expect((await pool.query("SELECT status FROM runner_runs WHERE id = $1", [third.item.runId])).rows).toEqual([
      { status: "failed" },
    ]);
  });

  it("that ended without an answer costs no attempt; how often in a row is counted, and forgotten with an answer", async () => {
    await applyOutcome(await startRun(), lost, context);
    const second = await takeNext();
    expect(second).toMatchObject({ attempt: 0, losses: 1 });
    expect(second.seconds).toBeGreaterThan(0);
    await applyOutcome(second.item, lost, context);
    const third = await takeNext();
    expect(third).toMatchObject({ attempt: 0, losses: 2 });
    await applyOutcome(third.item, { ...failed, afterMs: LONG_MS }, context);
    expect(await takeNext()).toMatchObject({ attempt: 1, losses: 0 });
  });
});

describe("a run after a step", () => {
  const failed = { kind: "failed" as const, error: {}, isFinal: false, afterMs: 0 };

  it("is kept under a new lease, or gives its place to others; how often the step failed is forgotten", async () => {
    const kept = await startRun(EXPIRED_MS);
    expect((await applyOutcome(kept, memo("a"), context)).next).toMatchObject({ runId: kept.runId });
    expect(await reclaimExpired(pool)).toBe(0);

    await applyOutcome(await startRun(LONG_MS, "f"), failed, context);
    const [again] = await claim();
    expect(again).toMatchObject({ attempt: 1 });
    expect((await applyOutcome(again as ClaimedItem, memo("a"), { ...context, isKept: false })).next).toBeUndefined();
    expect(await claim()).toEqual([expect.objectContaining({ runId: again?.runId, attempt: 0, losses: 0 })]);
  });
});

describe("a failure for good", () => {
  it("starts what is to be called on failures, whose own failure starts nothing", async () => {
    const failed = { kind: "failed" as const, error: { message: "x" }, isFinal: true };
    await applyOutcome(await startRun(), failed, context);
    const [handler] = await claim();
    expect(handler).toMatchObject({ functionId: "app-failed" });
    expect((await applyOutcome(handler as ClaimedItem, failed, context)).failure).toEqual({ message: "x" });
    expect(await items()).toEqual([]);
  });
});

describe("parallel steps", () => {
  it("that end at the same time call the function again exactly once, whatever their number", async () => {
    const first = await startRun();
    const names = Array.from({ length: 8 }, (_, n) => `s${n}`);
    await applyOutcome(first, plan(...names), context);
    const steps = await claim();
    expect(steps.length).toBe(8);
    const applied = await Promise.all(steps.map((step) => applyOutcome(step, memo(step.stepId), context)));
    expect(applied.every(({ isStale }) => !isStale)).toBe(true);
    expect(await items()).toEqual([{ step_id: "step", state: "ready", attempt: 0, losses: 0 }]);
    const [next] = await claim();
    expect(next?.memos.map(({ stepId }) => stepId).sort()).toEqual(names);
  });
});

describe("a lease", () => {
  it("that is prolonged is not taken; one that is handed back is, at no cost", async () => {
    const item = await startRun(EXPIRED_MS);
    await prolongLeases(pool, [item], LONG_MS);
    expect(await reclaimExpired(pool)).toBe(0);
    expect(await claim()).toEqual([]);
    await releaseLeases(pool, [item]);
    expect(await claim()).toEqual([expect.objectContaining({ runId: item.runId, attempt: 0, losses: 0 })]);
  });

  it("is prolonged, and handed back, of the work that was named alone", async () => {
    const [own, other] = [await startRun(EXPIRED_MS), await startRun(EXPIRED_MS, "f")];
    await prolongLeases(pool, [own], LONG_MS);
    expect(await reclaimExpired(pool)).toBe(1);
    expect(await claim()).toEqual([expect.objectContaining({ runId: other.runId, losses: 1 })]);
    await releaseLeases(pool, [own]);
    expect(await claim()).toEqual([expect.objectContaining({ runId: own.runId, losses: 0 })]);
  });

  it("of a generation that is over is neither prolonged nor handed back", async () => {
    const item = await startRun();
    const { next } = await applyOutcome(item, memo("a"), context);
    await releaseLeases(pool, [item]);
    expect(await items()).toEqual([expect.objectContaining({ state: "leased" })]);
    expect(next?.memos).toEqual([{ stepId: "a", output: '{"data":1}' }]);
  });
});
