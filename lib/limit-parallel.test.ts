import { describe, expect, it } from "vitest";
import { laneWithin, limitParallel, type ParallelRun } from "@/lib/limit-parallel";

describe("limitParallel", () => {
  it("never runs more at once than its limit, and runs all", async () => {
    const run = limitParallel(3);
    let running = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run(async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return index;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("goes on after a task that fails", async () => {
    const run = limitParallel(1);
    const failing = run(() => Promise.reject(new Error("no")));
    const next = run(async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("lets go of a task that is not wanted any more while it waits, and keeps its place for the others", async () => {
    const run = limitParallel(1);
    const gate = Promise.withResolvers<void>();
    const running = run(() => gate.promise);
    const abort = new AbortController();
    let hasRun = false;
    const unwanted = run(
      async () => {
        hasRun = true;
      },
      { signal: abort.signal },
    );
    const next = run(async () => "next");
    const reason = new Error("not wanted");
    abort.abort(reason);
    await expect(unwanted).rejects.toBe(reason);
    gate.resolve();
    await running;
    expect(await next).toBe("next");
    expect(hasRun).toBe(false);
    await expect(run(async () => "late", { signal: abort.signal })).rejects.toBe(reason);
  });

  it("lets the only task of one lane go next, however many another has waiting", async () => {
    const { begin, begun, end } = tasksOf(limitParallel(1));
    begin("slow", 50);
    begin("other", 1);
    expect(begun).toEqual(["slow"]);
    await end("slow");
    expect(begun).toEqual(["slow", "other"]);
    await end("other");
    expect(begun).toEqual(["slow", "other", "slow"]);
  });

  it("goes round by lane, and keeps the order within each", async () => {
    const run = limitParallel(1);
    const begun: string[] = [];
    const add = (lane: string, name: string) => run(async () => void begun.push(name), { lane });
    await Promise.all([
      ...["a1", "a2", "a3", "a4"].map((name) => add("a", name)),
      ...["b1", "b2"].map((name) => add("b", name)),
      ...["c1", "c2", "c3"].map((name) => add("c", name)),
    ]);
    expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "c3", "a4"]);
  });

  it.each([
    [2, 1],
    [3, 2],
    [4, 2],
  ])("of %i places leaves one lane at most %i while another waits, and all when none does", async (limit, most) => {
    const { begin, begun, end, running } = tasksOf(limitParallel(limit));
    begin("many", 20);
    expect(running("many")).toBe(limit);
    begin("other", 20);
    for (let ended = 0; ended < limit; ended++) await end("many");
    // Also where those of the other lane end soon and those of this one never do.
    for (let ended = 0; ended < 5; ended++) await end("other");
    expect(running("many")).toBeLessThanOrEqual(most);
    expect(running("many") + running("other")).toBe(limit);
    while (begun.filter((lane) => lane === "other").length < 20 || running("other") > 0) await end("other");
    expect(running("many")).toBe(limit);
  });

  it("lets an owner's lanes take its places by turns, and gives the owner no more for having several", async () => {
    const many = laneWithin("a", "many");
    const { begin, begun, end } = tasksOf(limitParallel(1));
    begin(many, 4);
    begin("a", 2);
    begin("b", 3);
    for (let ended = 0; ended < 9; ended++) await end(begun.at(-1) ?? "");
    expect(begun).toEqual([many, "b", "a", "b", many, "b", "a", many, many]);
  });

  it("counts what all lanes of an owner hold against another owner", async () => {
    const many = laneWithin("a", "many");
    const { begin, end, running } = tasksOf(limitParallel(4));
    begin(many, 9);
    begin("a", 9);
    begin("b", 9);
    for (let ended = 0; ended < 3; ended++) await end(many);
    expect([running(many), running("a"), running("b")]).toEqual([1, 1, 2]);
  });

  it("hands on two places that get free at once to two lanes", async () => {
    const { begin, end, running } = tasksOf(limitParallel(2));
    begin("many", 5);
    begin("b", 3);
    begin("c", 1);
    await Promise.all([end("many"), end("many")]);
    expect([running("many"), running("b"), running("c")]).toEqual([0, 1, 1]);
  });
});

describe("tasks that take several places", () => {
  it("run beside as many others as there is room for", async () => {
    const { begin, end, running } = tasksOf(limitParallel(4));
    begin("large", 2, 3);
    expect(running("large")).toBe(1);
    begin("small", 2);
    await tick();
    expect([running("large"), running("small")]).toEqual([1, 1]);
    await end("large");
    expect([running("large"), running("small")]).toEqual([1, 1]);
    await end("large");
    expect([running("large"), running("small")]).toEqual([0, 2]);
  });

  it("are passed by nobody while they wait for them, and take what there is where they want more", async () => {
    const { begin, end, running, begun } = tasksOf(limitParallel(4));
    begin("small", 1);
    begin("large", 1, 10);
    begin("small", 3);
    expect(begun).toEqual(["small"]);
    await end("small");
    expect(begun).toEqual(["small", "large"]);
    await end("large");
    expect(running("small")).toBe(3);
  });

  it("let those behind them go on when they are given up", async () => {
    const run = limitParallel(2);
    const { begin, running } = tasksOf(run);
    begin("small", 1);
    const stop = new AbortController();
    const large = run(async () => {}, { lane: "large", places: 2, signal: stop.signal });
    begin("small", 1);
    expect(running("small")).toBe(1);
    stop.abort(new Error("canceled"));
    await expect(large).rejects.toThrow("canceled");
    await tick();
    expect(running("small")).toBe(2);
  });
});

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that run until they are ended. */
function tasksOf(run: ParallelRun) {
  const begun: string[] = [];
  const open = new Map<string, (() => void)[]>();
  const openOf = (lane: string) => open.get(lane) ?? [];
  const task = async (lane: string) => {
    const gate = Promise.withResolvers<void>();
    begun.push(lane);
    open.set(lane, [...openOf(lane), gate.resolve]);
    await gate.promise;
  };
  return {
    /** By lane, in the order in which they began. */
    begun,
    running: (lane: string) => openOf(lane).length,
    begin(lane: string, count: number, places = 1) {
      for (let each = 0; each < count; each++) void run(() => task(lane), { lane, places });
    },
    /** Ends the oldest that runs; what follows has begun then. */
    async end(lane: string) {
      const [oldest, ...others] = openOf(lane);
      open.set(lane, others);
      oldest?.();
      await tick();
    },
  };
}
