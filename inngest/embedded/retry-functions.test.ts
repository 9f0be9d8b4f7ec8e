import { randomUUID } from "node:crypto";
import { type Context, type FailureEventArgs, NonRetriableError, RetryAfterError } from "inngest";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_LOSSES } from "@/inngest/embedded/backoff";
import type { Runner } from "@/inngest/embedded/start-runner";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { type TestApp, until } from "@/inngest/embedded/testing/test-app";

/** What throws: how often it is called again, when, and what happens in the end. */

let stack: Stack;
let app: TestApp;
let runner: Runner;
let effects: { name: string; at: number; value?: unknown }[] = [];
function did<T>(name: string, value?: unknown, result?: T): T {
  effects.push({ name, at: performance.now(), value });
  return result as T;
}
const timesOf = (name: string) => effects.filter((effect) => effect.name === name);
const send = (name: string, data: Record<string, unknown> = {}, id?: string) =>
  app.client.send({ name, data, ...(id ? { id } : {}) });
const statusOf = async (eventName: string) =>
  (
    await stack.pool.query(
      "SELECT status FROM runner_runs r JOIN runner_events e ON e.id = r.event_id WHERE e.name = $1",
      [eventName],
    )
  ).rows.map((row) => row.status);

beforeAll(async () => {
  stack = await startStack();
  ({ app, runner } = await stack.startPair((client) => [
    client.createFunction({ id: "retries", triggers: { event: "retries" }, retries: 3 }, async ({ step, attempt }) => {
      await step.run("flaky", () => {
        did("flaky", attempt);
        if (attempt < 2) throw new Error("not yet");
      });
      await step.run("fresh", () => did("fresh", attempt));
    }),
    client.createFunction({ id: "retry-after", triggers: { event: "retry-after" } }, async ({ attempt }) => {
      did("asked", attempt);
      if (attempt === 0) throw new RetryAfterError("busy", 1000);
    }),
    client.createFunction(
      {
        id: "fails",
        triggers: { event: "fails" },
        retries: 1,
        onFailure: async ({ error, event, step }: FailureEventArgs & Pick<Context, "step">) => {
          await step.run("clean-up", () =>
            did("failed", { message: error.message, original: event.data.event, functionId: event.data.function_id }),
          );
        },
      },
      async ({ step }) => {
        await step.run("breaks", () => {
          did("broke");
          throw new Error("broken for good");
        });
      },
    ),
    client.createFunction(
      { id: "non-retriable", triggers: { event: "non-retriable" }, onFailure: () => void did("given-up") },
      async ({ step }) => {
        await step.run("refuses", () => {
          did("refused");
          throw new NonRetriableError("never");
        });
      },
    ),
    client.createFunction({ id: "catches", triggers: { event: "catches" }, retries: 0 }, async ({ step }) => {
      await step
        .run("breaks", () => Promise.reject(new Error("caught me")))
        .catch((error: Error) => did("caught", error.message));
      await step.run("goes-on", () => did("went-on"));
    }),
    client.createFunction(
      {
        id: "loses",
        triggers: { event: "loses" },
        onFailure: ({ error }: FailureEventArgs) => void did("lost", error.message),
      },
      ({ event }) => void did("called", event.data.losses),
    ),
    client.createFunction(
      {
        id: "waits",
        triggers: { event: "waits" },
        onFailure: ({ error }: FailureEventArgs) => void did("unsupported", error.message),
      },
      async ({ step }) => {
        await step.waitForEvent("never", { event: "other", timeout: "1h" });
      },
    ),
  ]));
});
afterAll(() => stack.stop());
beforeEach(() => {
  effects = [];
});

describe("a function that fails", () => {
  it("is called again after an error, with attempts counted for each step", async () => {
    await send("retries");
    await until(() => timesOf("fresh").length > 0);
    expect(timesOf("flaky").map(({ value }) => value)).toEqual([0, 1, 2]);
    expect(timesOf("fresh").map(({ value }) => value)).toEqual([0]);
  });

  it("is called again when a RetryAfterError says", async () => {
    await send("retry-after");
    const [first, second] = await until(() => timesOf("asked").length === 2 && timesOf("asked"));
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("fails after its retries, and its onFailure gets the error and the event", async () => {
    await send("fails", { n: 7 });
    const [failed] = await until(() => timesOf("failed").length > 0 && timesOf("failed"));
    expect(timesOf("broke").length).toBe(2);
    expect(failed?.value).toMatchObject({
      message: "broken for good",
      functionId: "app-fails",
      original: { name: "fails", data: { n: 7 } },
    });
    expect(await statusOf("fails")).toEqual(["failed"]);
    expect((await runner.stats()).failedRuns).toBeGreaterThan(0);
  });

  it("is not called again after a NonRetriableError", async () => {
    await send("non-retriable");
    await until(() => timesOf("given-up").length > 0);
    expect(timesOf("refused").length).toBe(1);
  });

  it("fails without a further call when too many of its calls ended without an answer", async () => {
    for (const losses of [MAX_LOSSES, MAX_LOSSES + 1]) {
      // It is due long after this; meanwhile it comes to have been lost so often.
      const id = randomUUID();
      await app.client.send({ name: "loses", data: { losses }, id, ts: Date.now() + 3_600_000 });
      const { rowCount } = await stack.pool.query(
        `UPDATE runner_items SET losses = $1, due_at = now()
         WHERE run_id IN (SELECT id FROM runner_runs WHERE event_id = $2)`,
        [losses, id],
      );
      expect(rowCount).toBe(1);
    }
    const [lost] = await until(() => timesOf("lost").length > 0 && timesOf("called").length > 0 && timesOf("lost"));
    expect(lost?.value).toContain(`went away ${MAX_LOSSES + 1} times`);
    expect(timesOf("called").map(({ value }) => value)).toEqual([MAX_LOSSES]);
  });

  it("may catch the error of a step that failed for good", async () => {
    await send("catches");
    await until(() => timesOf("went-on").length > 0);
    // What stands between steps is done again whenever the next one goes into a call of its own.
    expect(new Set(timesOf("caught").map(({ value }) => value))).toEqual(new Set(["caught me"]));
  });

  it("fails with a plain message when it uses a step that is not supported", async () => {
    await send("waits");
    const [failure] = await until(() => timesOf("unsupported").length > 0 && timesOf("unsupported"));
    expect(failure?.value).toContain("does not support the step operation WaitForEvent");
  });
});
