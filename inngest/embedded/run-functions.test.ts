import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OwnCall } from "@/inngest/answer-first-call";
import { answerHere } from "@/inngest/answer-here";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { makeClient, type TestApp, until } from "@/inngest/embedded/testing/test-app";

/** Real functions, the unmodified SDK and a real server, run by the embedded runner. */

let stack: Stack;
let app: TestApp;
let effects: { name: string; at: number; value?: unknown }[] = [];
function did<T>(name: string, value?: unknown, result?: T): T {
  effects.push({ name, at: performance.now(), value });
  return result as T;
}
const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));
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
  ({ app } = await stack.startPair((client) => [
    client.createFunction({ id: "steps", triggers: { event: "steps" } }, async ({ event, step }) => {
      const one = await step.run("one", () =>
        did("one", undefined, { text: `a\u0000\u2028${event.data.text}`, nothing: null }),
      );
      const two = await step.run("two", () => did("two", undefined, one.text.length));
      did("returned", { one, two });
      return two;
    }),
    client.createFunction({ id: "same-id", triggers: { event: "same-id" } }, async ({ step }) => {
      for (let n = 0; n < 3; n++) await step.run("again", () => did("again", n));
    }),
    client.createFunction({ id: "sleeps", triggers: { event: "sleeps" } }, async ({ step }) => {
      await step.run("before", () => did("before"));
      await step.sleep("nap", "1s");
      await step.run("after", () => did("after"));
      await step.sleepUntil("past", new Date(Date.now() - 1000));
      did("slept");
    }),
    client.createFunction({ id: "sends", triggers: { event: "sends" } }, async ({ step }) => {
      const { ids } = await step.sendEvent("tell", [
        { name: "sent", data: { n: 1 } },
        { name: "sent", data: { n: 2 }, id: "own-id" },
      ]);
      did("sent-ids", ids);
    }),
    client.createFunction(
      { id: "receives", triggers: { event: "sent" } },
      ({ event }) => void did("received", event.data.n),
    ),
    client.createFunction({ id: "parallel", triggers: { event: "parallel" } }, async ({ step }) => {
      const results = await Promise.all([
        step.run("left", () => did("left", undefined, after(100, 1))),
        step.run("right", () => did("right", undefined, after(100, 2))),
        step.sleep("short", "1s"),
      ]);
      const last = await step.run("join", () => results[0] + results[1]);
      did("joined", last);
    }),
    client.createFunction({ id: "cron", triggers: { cron: "0 3 1 1 *" } }, ({ event }) => void did("ticked", event)),
  ]));
});
afterAll(() => stack.stop());
beforeEach(() => {
  effects = [];
});

describe("a function", () => {
  it("runs each step once and gets its results back as JSON, whatever characters they hold", async () => {
    await send("steps", { text: "é\ud83d\ude00\u0000" });
    const [returned] = await until(() => timesOf("returned").length > 0 && timesOf("returned"));
    expect(returned?.value).toEqual({ one: { text: "a\u0000\u2028é\ud83d\ude00\u0000", nothing: null }, two: 7 });
    expect([timesOf("one").length, timesOf("two").length]).toEqual([1, 1]);
    await until(async () => (await statusOf("steps"))[0] === "completed");
  });

  it("may use one step id several times", async () => {
    await send("same-id");
    await until(() => timesOf("again").length === 3);
    expect(timesOf("again").map(({ value }) => value)).toEqual([0, 1, 2]);
  });

  it("sleeps as long as it asks, and not at all for a time gone by", async () => {
    await send("sleeps");
    await until(() => timesOf("slept").length > 0);
    const [before] = timesOf("before");
    const [after] = timesOf("after");
    expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("sends events that start others, and gets their ids", async () => {
    await send("sends");
    await until(() => timesOf("received").length === 2 && timesOf("sent-ids").length === 1);
    expect(timesOf("sent-ids")[0]?.value).toEqual([expect.any(String), "own-id"]);
    expect(
      timesOf("received")
        .map(({ value }) => value)
        .sort(),
    ).toEqual([1, 2]);
  });

  it("runs parallel steps at the same time, each once, and goes on after the last", async () => {
    await send("parallel");
    await until(() => timesOf("joined").length > 0);
    expect(timesOf("joined").map(({ value }) => value)).toEqual([3]);
    const [left] = timesOf("left");
    const [right] = timesOf("right");
    expect([timesOf("left").length, timesOf("right").length]).toEqual([1, 1]);
    expect(Math.abs((left?.at ?? 0) - (right?.at ?? 0))).toBeLessThan(100);
  });

  it("starts once at its cron's tick, which then moves on", async () => {
    const second = await stack.startRunner(app.serveUrl);
    await second.ready();
    await stack.pool.query("UPDATE runner_crons SET due_at = '2026-01-01T03:00:00Z' WHERE function_id = 'app-cron'");
    await stack.pool.query("NOTIFY runner_functions");
    await until(() => timesOf("ticked").length > 0);
    expect(timesOf("ticked")[0]?.value).toMatchObject({
      name: "inngest/scheduled.timer",
      data: { cron: "0 3 1 1 *" },
      ts: Date.UTC(2026, 0, 1, 3),
    });
    const { rows } = await stack.pool.query("SELECT due_at > now() AS ahead FROM runner_crons");
    expect(rows).toEqual([{ ahead: true }]);
    expect(timesOf("ticked").length).toBe(1);
  });

  it("comes to its cron's next tick also after a clock that was ahead for a while", async () => {
    await stack.pool.query("UPDATE runner_crons SET due_at = '2099-01-01T03:00:00Z' WHERE function_id = 'app-cron'");
    await stack.pool.query("NOTIFY runner_functions");
    await until(
      async () =>
        (await stack.pool.query("SELECT due_at < now() + interval '366 days' AS back FROM runner_crons")).rows[0]?.back,
    );
  });
});

describe("an app in the runner's own process", () => {
  it("is called without a connection once it is there, gets events of the outbox without one, and is left when the runner stops", async () => {
    const [own, calls] = [await startStack(), [] as string[]];
    const answered = Promise.withResolvers<void>();
    const { runner } = await own.startPair(
      (client) => [
        client.createFunction({ id: "greets", triggers: { event: "greet" } }, async ({ event, step }) => {
          calls.push(await step.run("greet", () => `Hello ${event.data.name}`));
          answered.resolve();
        }),
      ],
      { ownAnswer: () => answerCall, outboxTable: "outbox_events" },
    );
    const move = async (id: string, name: string) => {
      await own.pool.query("INSERT INTO outbox_events (id, name, data) VALUES ($1, 'greet', '{}')", [id]);
      await runner.move([{ id, name: "greet", data: { name } }]);
    };
    const client = makeClient(runner.url);
    const answer = answerHere(client, [
      client.createFunction({ id: "greets", triggers: { event: "greet" } }, async ({ event, step }) => {
        calls.push(await step.run("greet", () => `Hello from here, ${event.data.name}`));
        if (event.data.name === "never") await new Promise(() => {});
        answered.resolve();
      }),
    ]);
    const asked: OwnCall[] = [];
    function answerCall(call: OwnCall) {
      asked.push(call);
      return answer(call);
    }
    await move("greet-1", "Ada");
    await answered.promise;
    expect(calls).toEqual(["Hello from here, Ada"]);
    expect(asked.map(({ url }) => new URL(url).searchParams.get("fnId"))).toEqual(["app-greets", "app-greets"]);
    await move("greet-2", "never");
    await until(() => calls.includes("Hello from here, never"));
    await own.stop();
  });
});

describe("events of the outbox", () => {
  it("are there or in the queue, never in both, whoever moves them and how often", async () => {
    const own = await startStack();
    const seen: string[] = [];
    const { runner } = await own.startPair(
      (client) => [
        client.createFunction({ id: "notes", triggers: { event: "note" } }, async ({ event }) => {
          seen.push(event.id ?? "");
        }),
      ],
      { outboxTable: "outbox_events" },
    );
    const event = (id: string) => ({ id, name: "note", data: {} });
    await own.pool.query("INSERT INTO outbox_events (id, name, data) VALUES ('a', 'note', '{}'), ('b', 'note', '{}')");
    const events = [event("a"), event("b"), event("moved-by-another")];
    await Promise.all([runner.move(events), runner.move(events), runner.move([event("a")])]);
    await runner.move(events);
    await until(() => seen.length >= 2);
    const { rows: queued } = await own.pool.query("SELECT id FROM runner_events ORDER BY id");
    const { rows: left } = await own.pool.query("SELECT id FROM outbox_events");
    expect([queued, left, seen.sort()]).toEqual([[{ id: "a" }, { id: "b" }], [], ["a", "b"]]);
    await own.stop();
  });

  it("stay there when the queue cannot take them", async () => {
    const own = await startStack();
    const runner = await own.startRunner("http://127.0.0.1:1/none", { outboxTable: "outbox_events" });
    await own.pool.query("INSERT INTO outbox_events (id, name, data) VALUES ('a', 'note', '{}')");
    await expect(runner.move([{ id: "a", name: "note", data: {} }])).rejects.toThrow("No app has registered");
    const { rows } = await own.pool.query("SELECT id FROM outbox_events");
    expect(rows).toEqual([{ id: "a" }]);
    await own.stop();
  });
});

describe("an event", () => {
  it("starts nothing again when its id was seen, also many times at once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => send("same-id", {}, "the-same")));
    await send("same-id", {}, "the-same");
    await until(() => timesOf("again").length >= 3);
    expect(await until(async () => (await statusOf("same-id")).every((status) => status === "completed"))).toBe(true);
    expect(timesOf("again").length).toBe(3);
  });

  it("starts its run when its time has come, if that is ahead", async () => {
    const startAt = Date.now() + 700;
    await app.client.send({ name: "sent", data: { n: "later" }, ts: startAt });
    const [received] = await until(() => timesOf("received").length > 0 && timesOf("received"));
    expect(Date.now()).toBeGreaterThanOrEqual(startAt);
    expect(received?.value).toBe("later");
  });
});
