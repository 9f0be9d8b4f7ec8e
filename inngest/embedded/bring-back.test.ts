import { afterAll, beforeAll, expect, it } from "vitest";
import { bringBackWaits } from "@/inngest/embedded/bring-back";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { type TestApp, until } from "@/inngest/embedded/testing/test-app";

/** What a clock that was ahead for a while leaves in the queue. */

const DAY_MS = 86_400_000;
let stack: Stack;
let app: TestApp;
const woken: string[] = [];

beforeAll(async () => {
  stack = await startStack();
  ({ app } = await stack.startPair((client) => [
    client.createFunction({ id: "sleeps", triggers: { event: "sleep" } }, async ({ event, step }) => {
      await step.sleep("for-an-hour", "1h");
      woken.push(event.data.name);
    }),
  ]));
});
afterAll(() => stack.stop());

const insertItem = (runId: string, state: string, ahead: string) =>
  stack.pool.query(
    `INSERT INTO runner_items (run_id, step_id, lane, state, due_at, leased_until, generation, attempt, losses, is_sleep)
     VALUES ($1, 'step', 'none-fn|', $2, now() + $3::interval, now() + $3::interval, 0, 0, 0, false)`,
    [runId, state, ahead],
  );
const isAhead = async (runId: string, column: string) =>
  (
    await stack.pool.query(
      `SELECT ${column} > now() + interval '1 minute' AS ahead FROM runner_items WHERE run_id = $1`,
      [runId],
    )
  ).rows[0]?.ahead;

it("goes on with work that would wait for years", async () => {
  await app.client.send({ name: "sleep", data: { name: "ada" } });
  const waits = "UPDATE runner_items SET due_at = '2099-01-01' WHERE state = 'waiting' AND lane LIKE '%sleeps%'";
  await until(async () => (await stack.pool.query(waits)).rowCount === 1);
  await stack.pool.query("NOTIFY runner_functions");
  await until(() => woken.length > 0);
  expect(woken).toEqual(["ada"]);
});

it.each(["10 minutes", "9 years"])(
  "lets a lease of %s run out in the time of a lease, and leaves true ones alone",
  async (ahead) => {
    await insertItem("wrong", "leased", ahead);
    await insertItem("lease", "leased", "2 minutes");
    await insertItem("wait", "waiting", "23 hours");
    expect(await bringBackWaits(stack.pool, DAY_MS, 15_000)).toBe(0);
    expect(await isAhead("wrong", "leased_until")).toBe(false);
    expect(await isAhead("lease", "leased_until")).toBe(true);
    expect(await isAhead("wait", "due_at")).toBe(true);
    await stack.pool.query("DELETE FROM runner_items WHERE run_id IN ('wrong', 'lease', 'wait')");
  },
);
