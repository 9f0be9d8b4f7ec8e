import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keptPlan } from "@/e2e/support/kept-plan";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { Claimer } from "@/inngest/embedded/claim-items";
import { openPool } from "@/inngest/embedded/database";
import { endRuns } from "@/inngest/embedded/end-runs";
import { makeEvent } from "@/inngest/embedded/read-events";
import { startAtOnce } from "@/inngest/embedded/start-at-once";

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe("statements of the queue whose plans were made while it was empty", () => {
  it("end runs by their id, however many are open", async () => {
    const item = { runId: "run", stepId: "step", generation: 1 };
    expect(await endRuns(pool, [{ item, status: "completed", output: "null" }])).toEqual([false]);
    const plan = await keptPlan(pool, "runner-end-runs");
    expect(plan).toContain("runner_runs_pkey");
    expect(plan).not.toContain("runner_runs_ended_at_idx");
  });

  it("look for work in a way that marks the entries of what is gone", async () => {
    await new Claimer(pool, "me", 1_000, () => undefined).claim(1);
    expect(await keptPlan(pool, "runner-read-queue")).not.toContain("Bitmap");
  });

  it("start runs at once in a way that marks them, too, and find what they move by its id", async () => {
    const places = { runnerId: "me", leaseMs: 1_000, limitOf: () => undefined, reserve: () => () => {} };
    const event = makeEvent({ name: "go", id: "evt", data: {}, ts: 1 });
    const runs = [{ id: "run", functionId: "app-go", lane: "app-go|", event }];
    expect(await startAtOnce(pool, places, "outbox_events", { events: [event], runs }, ["evt"])).toBe(true);
    const plan = await keptPlan(pool, "runner-start-at-once");
    expect(plan).not.toContain("Bitmap");
    expect(plan).not.toContain("Seq Scan");
    expect(plan).toContain("outbox_events_pkey");
  });
});
