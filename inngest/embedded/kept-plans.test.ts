import { Client, type Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keptPlan } from "@/e2e/support/kept-plan";
import { useDatabase } from "@/e2e/support/service-database";
import { type ClaimedItem, Claimer } from "@/inngest/embedded/claim-items";
import { openPool } from "@/inngest/embedded/database";
import { endRuns } from "@/inngest/embedded/end-runs";
import { moveWork, type NewWork } from "@/inngest/embedded/insert-events";
import { prolongLeases, reclaimExpired, releaseLeases } from "@/inngest/embedded/keep-leases";
import { makeEvent } from "@/inngest/embedded/read-events";
import { startAtOnce } from "@/inngest/embedded/start-at-once";

let pool: Pool;
let owner: Client;

const database = useDatabase();

beforeAll(async () => {
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  pool = openPool(database.url);
});
afterAll(() => Promise.all([pool.end(), owner.end()]));

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
    const places = {
      runnerId: "me",
      leaseMs: 1_000,
      limitOf: () => undefined,
      isOwn: () => true,
      reserve: () => () => {},
    };
    const event = makeEvent({ name: "go", id: "evt", data: {}, ts: 1 });
    const runs = [{ id: "run", functionId: "app-go", lane: "app-go|", event }];
    expect(await startAtOnce(pool, places, "outbox_events", { events: [event], runs }, ["evt"])).toBe(true);
    const plan = await keptPlan(pool, "runner-start-at-once");
    expect(plan).not.toContain("Bitmap");
    expect(plan).not.toContain("Seq Scan");
    expect(plan).toContain("outbox_events_pkey");
  });
});

/** As the database's own analysis finds a queue that has been idle: a plan for so little may read all of it for each row given. */
describe("statements of the queue whose plans were made while it had one row", () => {
  const QUEUE = ["runner_items", "runner_runs", "runner_steps", "runner_events", "outbox_events"];
  const db = (statement: string) => owner.query(statement);
  const item = { runId: "run", stepId: "step", generation: 1 } as ClaimedItem;
  const event = makeEvent({ name: "go", id: "evt2", data: {}, ts: 1 });
  const work: NewWork = { events: [event], runs: [{ id: "run2", functionId: "app-go", lane: "app-go|", event }] };

  beforeAll(async () => {
    await db("SET session_replication_role = replica");
    for (const table of QUEUE) {
      await db(`DELETE FROM ${table}`);
      await db(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    }
    await db(`INSERT INTO runner_items (run_id, step_id, lane, state, due_at, generation, attempt, losses, is_sleep)
              VALUES ('one', 'step', 'app-go|', 'ready', now(), 0, 0, 0, false)`);
    await db("VACUUM ANALYZE");
    await pool.end();
    pool = openPool(database.url);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["runner-prolong", () => prolongLeases(pool, [item], 1_000)],
    ["runner-release", () => releaseLeases(pool, [item])],
    ["runner-reclaim", () => reclaimExpired(pool)],
    ["runner-end-runs", () => endRuns(pool, [{ item, status: "completed", output: "null" }])],
    ["runner-move-events", () => moveWork(pool, "outbox_events", work, ["evt2"])],
    ["runner-lease-items", () => new Claimer(pool, "me", 1_000, () => undefined).claim(1)],
  ])("%s looks up each of them by its key", async (name, run) => {
    await run();
    const plan = await keptPlan(pool, name);
    expect(plan).not.toContain("Seq Scan");
    const scans = plan
      .split("\n")
      .flatMap((line, at, lines) => (line.includes("Index Scan") ? [`${lines[at + 1]}`] : []));
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan).toContain("Index Cond");
  });

  it("let nobody's statement go on for longer than anybody waits for it", async () => {
    const { rows } = await pool.query("SHOW statement_timeout");
    expect(rows[0].statement_timeout).toBe("30s");
  });
});
