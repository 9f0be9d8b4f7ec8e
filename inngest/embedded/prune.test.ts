import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { openPool } from "@/inngest/embedded/database";
import { prune } from "@/inngest/embedded/prune";

let pool: Pool;
const database = useDatabase();

beforeAll(() => {
  pool = openPool(database.url);
});
afterAll(() => pool.end());

const ids = async (table: string) =>
  (await pool.query<{ id: string }>(`SELECT * FROM ${table} ORDER BY 1`)).rows.map((row) => Object.values(row)[0]);

it("deletes what ended a day ago with its steps, and keeps open runs, their events and ids of the last day", async () => {
  await pool.query(`
    INSERT INTO runner_events (id, name, payload, received_at) VALUES
      ('old-done', 'e', '{}', now() - interval '25 hours'), ('old-open', 'e', '{}', now() - interval '25 hours'),
      ('old-alone', 'e', '{}', now() - interval '25 hours'), ('alone', 'e', '{}', now() - interval '23 hours'),
      ('new', 'e', '{}', now() - interval '23 hours');
    INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, created_at, ended_at) VALUES
      ('done', 'f', 'old-done', 'l', 'completed', 0, now(), now() - interval '25 hours'),
      ('open', 'f', 'old-open', 'l', 'running', 0, now(), NULL),
      ('fresh', 'f', 'new', 'l', 'failed', 0, now(), now() - interval '1 hour');
    INSERT INTO runner_steps (run_id, step_id, output) VALUES ('done', 's', 'null'), ('open', 's', 'null')`);
  await prune(pool, 24);
  expect(await ids("runner_runs")).toEqual(["fresh", "open"]);
  expect(await ids("runner_events")).toEqual(["alone", "new", "old-open"]);
  expect(await ids("runner_steps")).toEqual(["open"]);
});
