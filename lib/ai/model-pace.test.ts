import { describe, expect, it } from "vitest";
import { LimitedWorld, type WorldOptions } from "@/e2e/support/limited-world";
import { ModelPaces } from "@/lib/ai/model-pace";

/** Virtual time all through: what takes hours takes milliseconds. */
const run = (options: WorldOptions) => new LimitedWorld(options).run();

describe("calls that are held to a model's pace", () => {
  it.each([
    { perSecond: 0.05, burst: 3, jobs: [60], inVain: 1.2 },
    { perSecond: 0.5, burst: 5, jobs: [300], inVain: 0.5 },
    { perSecond: 2, burst: 10, jobs: [600], inVain: 0.2 },
    { perSecond: 4, burst: 10, jobs: [4_000], inVain: 0.1 },
  ])("take what a provider of $perSecond a second lets through, and send few in vain", ({ inVain, ...options }) => {
    const { answered, atBest, endedAfter, refused, looks, given } = run(options);
    expect(looks / given).toBeLessThan(15);
    expect(answered).toBe(given);
    expect(endedAfter / atBest).toBeLessThan(1.3);
    expect(refused / given).toBeLessThan(inVain);
  });

  it("are each refused a few times at most, however long it takes until all are through", () => {
    const { answered, given, endedAfter, mostRefused } = run({ perSecond: 0.5, burst: 5, jobs: [3_000] });
    expect(endedAfter).toBeGreaterThan(5_000);
    expect(answered).toBe(given);
    expect(mostRefused).toBeLessThan(8);
  });

  it("are as many of an account with few as of one with thousands", () => {
    const { laneEndedAfter } = run({ perSecond: 2, burst: 10, jobs: [2_000, 20] });
    expect(laneEndedAfter[1]).toBeLessThan(60);
    expect(laneEndedAfter[0]).toBeGreaterThan(900);
  });

  it.each([0, 1])(
    "of a thousand accounts with one each do not wait for those that are through (Retry-After: %d)",
    (retryAfterSeconds) => {
      const jobs = Array<number>(1_000).fill(1);
      const { answered, given, refused, endedAfter, atBest } = run({
        perSecond: 2,
        burst: 10,
        jobs,
        retryAfterSeconds,
      });
      expect(answered).toBe(given);
      expect(endedAfter / atBest).toBeLessThan(1.6);
      expect(refused / given).toBeLessThan(0.3);
    },
  );

  it.each([
    [2, 1],
    [20, 1],
    [200, 1],
    [20, 20],
  ])("go on beside %d that are more than the limit takes at once (Retry-After: %d)", (tooLarge, retryAfterSeconds) => {
    const { laneEndedAfter, answered, failed } = run({
      ...{ perSecond: 2, burst: 10, jobs: [1_000, tooLarge], tooLargeLane: 1, retryAfterSeconds },
    });
    expect({ answered, failed }).toEqual({ answered: 1_000, failed: tooLarge });
    expect(laneEndedAfter[0]).toBeLessThan(1_000);
  });

  it("lose little where a provider asks for a longer wait than others need", () => {
    const { answered, given, endedAfter, atBest } = run({
      ...{ perSecond: 2, burst: 10, jobs: [1_000], retryAfterSeconds: 60 },
    });
    expect(answered).toBe(given);
    expect(endedAfter / atBest).toBeLessThan(2.5);
  });

  it("are shared out anew as soon as others want no more", () => {
    const ones = Array<number>(100).fill(1);
    const { answered, given, endedAfter, atBest, laneEndedAfter } = run({
      perSecond: 2,
      burst: 10,
      jobs: [400, ...ones],
    });
    expect(answered).toBe(given);
    expect(Math.max(...laneEndedAfter.slice(1))).toBeLessThan(150);
    expect(endedAfter / atBest).toBeLessThan(1.4);
  });

  it("leave what is not held, as chats, most of what the provider lets through", () => {
    const { chats, chatsFailed, answered, given } = run({ perSecond: 2, burst: 10, jobs: [300], chatsPerSecond: 1.5 });
    expect(chats).toBeGreaterThan(500);
    expect(chatsFailed / chats).toBeLessThan(0.02);
    expect(answered).toBe(given);
  });

  it("are shared out between processes that do not know of each other", () => {
    const { answered, given, atBest, endedAfter } = run({ perSecond: 4, burst: 10, jobs: [600, 600], processes: 2 });
    expect(answered).toBe(given);
    expect(endedAfter / atBest).toBeLessThan(1.6);
  });

  it("soon go on where a flood of chats had the provider refuse most calls", () => {
    const { answered, given, atBest, endedAfter } = run({ perSecond: 2, burst: 10, jobs: [400], chatsBefore: 400 });
    expect(answered).toBe(given);
    expect(endedAfter / atBest).toBeLessThan(1.6);
  });

  it("are held no longer soon after the provider lets all through again", () => {
    const { endedAfter } = run({ perSecond: 0.5, burst: 5, jobs: [1_000], liftedAfter: 120 });
    expect(endedAfter).toBeLessThan(420);
  });

  it.each([
    [50, 25],
    [50, 180],
    [300, 60],
    [300, 600],
  ])("are, %d of them, soon all through again when nothing at all got through for %d s", (jobs, seconds) => {
    const { answered, endedAfter } = run({ perSecond: 20, burst: 20, jobs: [jobs], closed: [0, seconds] });
    expect(answered).toBe(jobs);
    expect(endedAfter - seconds).toBeLessThan(120);
  });

  it("of many accounts soon go on, too, when nothing at all got through for a minute", () => {
    const jobs = Array<number>(30).fill(10);
    const { answered, endedAfter } = run({ perSecond: 4, burst: 10, jobs, closed: [10, 70] });
    expect(answered).toBe(300);
    expect(endedAfter - 70).toBeLessThan(180);
  });

  it("are told of each time that they begin to be held", () => {
    let now = 0;
    const told: string[] = [];
    const paces = new ModelPaces({ now: () => now, onBegun: (model) => told.push(model) });
    for (let call = 0; call < 5; call++) paces.refused("small");
    expect(told).toEqual(["small"]);
    now += 120_000;
    const pace = paces.find("small");
    expect(pace?.ask("lane", "one")).toEqual({ isTurn: true });
    for (let call = 0; call < 5; call++) pace?.pacedRefused({ lane: "lane", refusedBefore: 0, retryAfterSeconds: 0 });
    pace?.ask("lane", "one");
    expect(pace?.ask("lane", "two")).toMatchObject({ isTurn: false });
    expect(told).toEqual(["small", "small"]);
  });
});
