import type { Inngest } from "inngest";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { until } from "@/inngest/embedded/testing/test-app";

/** Limits and fairness, with one runner and with two on one database. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.stop());

/** Counts how many steps of a key run at once; a step ends when it is let go. */
function makeGauge() {
  const running = new Map<string, number>();
  const peaks = new Map<string, number>();
  const order: string[] = [];
  return {
    peaks,
    order,
    async pass(key: string, ms: number) {
      order.push(key);
      const now = (running.get(key) ?? 0) + 1;
      running.set(key, now);
      peaks.set(key, Math.max(peaks.get(key) ?? 0, now));
      await new Promise((resolve) => setTimeout(resolve, ms));
      running.set(key, now - 1 < 0 ? 0 : (running.get(key) ?? 1) - 1);
    },
  };
}

const eventsOf = (name: string, account: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ name, data: { account, n } }));

describe("a concurrency limit", () => {
  it("holds per key and over all keys, and everything gets done", async () => {
    const gauge = makeGauge();
    const { app } = await stack.startPair((client) => [
      client.createFunction(
        {
          id: "work",
          triggers: { event: "work" },
          concurrency: [{ limit: 5 }, { limit: 2, key: "event.data.account" }],
        },
        async ({ event, step }) => {
          await step.run("a", () => Promise.all([gauge.pass(event.data.account, 15), gauge.pass("all", 15)]));
          await step.run("b", () => Promise.all([gauge.pass(event.data.account, 15), gauge.pass("all", 15)]));
        },
      ),
    ]);
    await app.client.send(["a", "b", "c", "d"].flatMap((account) => eventsOf("work", account, 6)));
    await until(() => gauge.order.filter((key) => key === "all").length === 48);
    expect(gauge.peaks.get("all")).toBeLessThanOrEqual(5);
    expect(gauge.peaks.get("all")).toBeGreaterThan(2);
    for (const account of ["a", "b", "c", "d"]) expect(gauge.peaks.get(account)).toBeLessThanOrEqual(2);
  });

  it("lets in what came when it was reached as soon as something ends, not at the next look", async () => {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const startedAt: number[] = [];
    const { app } = await stack.startPair((client) => [
      client.createFunction({ id: "work", triggers: { event: "work" }, concurrency: 1 }, async () => {
        startedAt.push(performance.now());
        await gate;
      }),
    ]);
    await app.client.send({ name: "work", data: {} });
    await until(() => startedAt.length === 1);
    await app.client.send({ name: "work", data: {} });
    const endedAt = performance.now();
    letGo();
    await until(() => startedAt.length === 2);
    expect((startedAt[1] ?? 0) - endedAt).toBeLessThan(1_000);
  });

  it("holds over two runners, and each step runs once", async () => {
    const gauge = makeGauge();
    const seen: string[] = [];
    const makeFunctions = (name: string) => (client: Inngest) => [
      client.createFunction(
        { id: "work", triggers: { event: "work" }, concurrency: { limit: 4, key: "event.data.account" } },
        async ({ event, step }) => {
          for (const id of ["one", "two", "three"]) {
            await step.run(id, async () => {
              seen.push(`${event.data.account} ${event.data.n} ${id}`);
              await Promise.all([gauge.pass(event.data.account, 10), gauge.pass(name, 10)]);
            });
          }
        },
      ),
    ];
    const [first] = await Promise.all([
      stack.startPair(makeFunctions("first"), { concurrency: 4 }),
      stack.startPair(makeFunctions("second"), { concurrency: 4 }),
    ]);
    await first.app.client.send([...eventsOf("work", "a", 30), ...eventsOf("work", "b", 30)]);
    await until(() => seen.length === 180);
    expect(new Set(seen).size).toBe(180);
    expect(gauge.peaks.get("a")).toBeLessThanOrEqual(4);
    expect(gauge.peaks.get("b")).toBeLessThanOrEqual(4);
    // Both took part: the second hears of work that came in at the first.
    expect(gauge.order.filter((key) => key === "second").length).toBeGreaterThan(0);
  });
});

describe("a flood from one key", () => {
  it("does not starve another", async () => {
    const gauge = makeGauge();
    const { app } = await stack.startPair(
      (client) => [
        client.createFunction(
          { id: "work", triggers: { event: "work" }, concurrency: { limit: 100, key: "event.data.account" } },
          async ({ event, step }) => {
            await step.run("only", () => gauge.pass(event.data.account, 5));
          },
        ),
      ],
      { concurrency: 4 },
    );
    await app.client.send(eventsOf("work", "flood", 400));
    await until(() => gauge.order.length >= 20);
    const before = gauge.order.length;
    await app.client.send(eventsOf("work", "small", 4));
    await until(() => gauge.order.filter((key) => key === "small").length === 4);
    const floodMeanwhile = gauge.order
      .slice(before, gauge.order.lastIndexOf("small"))
      .filter((key) => key === "flood").length;
    expect(floodMeanwhile).toBeLessThan(100);
  });
});

describe("a run's priority", () => {
  it("has it begin before those of its key that wait, whose limit it keeps; none waits for good", async () => {
    const order: string[] = [];
    const gates = new Map<string, () => void>();
    const { app } = await stack.startPair((client) => [
      client.createFunction(
        {
          id: "work",
          triggers: { event: "work" },
          concurrency: { limit: 2, key: "event.data.account" },
          priority: { run: "int(event.data.priority)" },
        },
        async ({ event }) => {
          order.push(event.data.name);
          await new Promise<void>((resolve) => gates.set(event.data.name, resolve));
        },
      ),
    ]);
    const work = (name: string, priority: number) => ({ name: "work", data: { account: "a", name, priority } });
    const letGo = (name = "") => gates.get(name)?.();
    // Which of those that were sent at once is first is left open.
    const kinds = () => order.map((name) => name.split(" ", 1)[0]).join(" ");
    await app.client.send(["file 1", "file 2"].map((name) => work(name, -600)));
    await until(() => order.length === 2);
    await app.client.send(["file 3", "file 4"].map((name) => work(name, -600)));
    await app.client.send(work("chat 1", 600));
    await app.client.send(work("chat 2", 600));
    expect(order).toHaveLength(2);
    letGo("file 1");
    await until(() => order.length === 3);
    expect(kinds()).toBe("file file chat");
    letGo("file 2");
    await until(() => order.length === 4);
    expect(kinds()).toBe("file file chat file");
    letGo(order[2]);
    await until(() => order.length === 5);
    expect(kinds()).toBe("file file chat file chat");
    letGo(order[3]);
    letGo(order[4]);
    await until(() => order.length === 6);
    letGo(order[5]);
  });
});
