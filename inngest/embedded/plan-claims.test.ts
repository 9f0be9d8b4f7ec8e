import { describe, expect, it } from "vitest";
import { findFullKeys, planClaims, type ReadyLane, Turns } from "@/inngest/embedded/plan-claims";

const lane = (name: string, ready: number, oldestDueAt = 0) => ({ lane: name, ready, oldestDueAt });
const limits = (entries: Record<string, number>) => (key: string) => entries[key];
const plan = (...args: Parameters<typeof planClaims>) => Object.fromEntries(planClaims(...args));

/** How often each lane gets the only place, where more of each always waits. */
function takeOneByOne(lanes: ReadyLane[], times: number): Record<string, number> {
  const turns = new Turns();
  const taken: Record<string, number> = Object.fromEntries(lanes.map(({ lane }) => [lane, 0]));
  for (let time = 0; time < times; time++) {
    const granted = planClaims(lanes, new Map(), limits({}), 1, turns);
    turns.note(granted.keys());
    for (const [name, count] of granted) taken[name] = (taken[name] ?? 0) + count;
  }
  return taken;
}

describe("planClaims", () => {
  it("takes no more than there are places", () => {
    expect(plan([lane("a", 10)], new Map(), limits({}), 3)).toEqual({ a: 3 });
  });

  it("takes no more than there are items", () => {
    expect(plan([lane("a", 2), lane("b", 1)], new Map(), limits({}), 9)).toEqual({ a: 2, b: 1 });
  });

  it("shares places among lanes, however many items one has", () => {
    expect(plan([lane("flood", 999), lane("small", 2, 5)], new Map(), limits({}), 6)).toEqual({ flood: 4, small: 2 });
  });

  it("prefers the lane with fewer running items", () => {
    expect(plan([lane("busy", 9), lane("idle", 9, 5)], new Map([["busy", 4]]), limits({}), 4)).toEqual({ idle: 4 });
  });

  it("prefers the one that waits longest among equals", () => {
    expect(plan([lane("later", 1, 2), lane("sooner", 1, 1)], new Map(), limits({}), 1)).toEqual({ sooner: 1 });
  });

  it("gives a share's places to its priorities by turns, the higher first, however many of the lower wait", () => {
    const flood = lane("f\nf|priority|-600", 999);
    const ahead = lane("f\nf|priority|600", 2, 5);
    expect(plan([flood, ahead], new Map(), limits({}), 1)).toEqual({ [ahead.lane]: 1 });
    expect(plan([flood, ahead], new Map([[flood.lane, 7]]), limits({ f: 9 }), 9)).toEqual({ [ahead.lane]: 2 });
    expect(plan([flood, ahead], new Map(), limits({}), 6)).toEqual({ [flood.lane]: 4, [ahead.lane]: 2 });
    expect(plan([flood, { ...ahead, ready: 999 }], new Map(), limits({}), 6)).toEqual({
      ...{ [flood.lane]: 3, [ahead.lane]: 3 },
    });
  });

  it("gives a share with several priorities no more places than one with a single one", () => {
    const lanes = [
      lane("a\nf|priority|600", 99),
      lane("a\nf|priority|0", 99),
      lane("b\nf|priority|0", 99),
      lane("c", 99),
    ];
    expect(plan(lanes, new Map(), limits({}), 12)).toEqual({
      ...{ "a\nf|priority|600": 2, "a\nf|priority|0": 2, "b\nf|priority|0": 4, c: 4 },
    });
    expect(plan(lanes.slice(1), new Map([["a\nf|priority|600", 5]]), limits({}), 2)).toEqual({
      ...{ "b\nf|priority|0": 1, c: 1 },
    });
  });

  it("gives a share's only place to its priorities by turns, too: a lasting flood of one stops none", () => {
    const [chats, files, bulk] = ["f\nf|priority|600", "f\nf|priority|0", "f\nf|priority|-600"] as const;
    expect(takeOneByOne([lane(bulk, 9), lane(files, 9, 5), lane(chats, 9, 7)], 9)).toEqual({
      ...{ [chats]: 3, [files]: 3, [bulk]: 3 },
    });
  });

  it("gives shares the only place by turns, whatever has waited longest in one of them", () => {
    const several = [lane("a\nf|priority|600", 9, 5), lane("a\nf|priority|-600", 9, 1)];
    const taken = takeOneByOne([...several, lane("b\nf|priority|600", 9, 9), lane("c", 9, 9)], 12);
    expect(taken).toEqual({
      ...{ "a\nf|priority|600": 2, "a\nf|priority|-600": 2, "b\nf|priority|600": 4, c: 4 },
    });
  });

  it("keeps a key's limit, counting what runs already in every lane with that key", () => {
    const lanes = [lane("f\nx", 9), lane("f\ny", 9)];
    expect(
      plan(
        lanes,
        new Map([
          ["f\nx", 1],
          ["f\nz", 2],
        ]),
        limits({ f: 5, x: 9 }),
        9,
      ),
    ).toEqual({ "f\nx": 1, "f\ny": 1 });
    expect(plan(lanes, new Map(), limits({ x: 1, y: 2 }), 9)).toEqual({ "f\nx": 1, "f\ny": 2 });
  });

  it("takes nothing of a lane beyond its limit, which does not hold up the others", () => {
    expect(plan([lane("full", 9), lane("free", 3, 9)], new Map([["full", 2]]), limits({ full: 2 }), 9)).toEqual({
      free: 3,
    });
    expect(plan([lane("over", 9)], new Map([["over", 7]]), limits({ over: 2 }), 9)).toEqual({});
  });

  it("does nothing without work or places", () => {
    expect(plan([], new Map(), limits({}), 9)).toEqual({});
    expect(plan([lane("a", 9)], new Map(), limits({}), 0)).toEqual({});
  });
});

describe("findFullKeys", () => {
  it("names the keys at or above their limit, counted over all lanes that share them", () => {
    const running = new Map([
      ["f\nx", 2],
      ["f\ny", 3],
    ]);
    expect(findFullKeys(running, limits({ f: 5, x: 3, y: 2 }))).toEqual(new Set(["f", "y"]));
    expect(findFullKeys(running, limits({ f: 6 }))).toEqual(new Set());
  });
});
