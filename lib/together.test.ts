import { describe, expect, it } from "vitest";
import { type TogetherOptions, together } from "@/lib/together";

/** Work that is done when the test says so, and a note of each go. */
function heldWork(options: Partial<TogetherOptions<string, string>> = {}) {
  const goes: string[][] = [];
  const holds: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const call = together<string, string>({
    max: 3,
    work: async (items) => {
      goes.push(items);
      await new Promise<void>((resolve, reject) => holds.push({ resolve, reject }));
      return items.map((item) => item.toUpperCase());
    },
    ...options,
  });
  /** Ends the oldest go that is under way, and lets what follows from that happen. */
  const end = async (error?: Error) => {
    const hold = holds.shift();
    if (error) hold?.reject(error);
    else hold?.resolve();
    await gathered();
  };
  return { call, goes, end };
}

/** After so many turns of the event loop whatever waits has begun. */
async function gathered(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("work that goes together", () => {
  it("takes in one go what comes at once or while another is under way, no more than the most, in order", async () => {
    const { call, goes, end } = heldWork();
    const first = Promise.all(["a", "b"].map(call));
    expect(goes).toEqual([]);
    await gathered();
    expect(goes).toEqual([["a", "b"]]);
    const later = Promise.all(["c", "d", "e", "f"].map(call));
    await gathered();
    expect(goes).toHaveLength(1);
    await end();
    await end();
    expect(goes).toEqual([["a", "b"], ["c", "d", "e"], ["f"]]);
    await end();
    expect([await first, await later]).toEqual([
      ["A", "B"],
      ["C", "D", "E", "F"],
    ]);
  });

  it("begins at once again when nothing waits", async () => {
    const { call, goes, end } = heldWork();
    const first = call("a");
    await gathered();
    await end();
    await first;
    const second = call("b");
    await gathered();
    expect(goes).toEqual([["a"], ["b"]]);
    await end();
    expect(await second).toBe("B");
  });

  it("leaves nobody behind who calls in the moment in which a go ends", async () => {
    const call = together<number, number>({ max: 2, work: async (items) => items });
    const chain = async (from: number): Promise<number> => (from < 100 ? chain(await call(from + 1)) : from);
    expect(await Promise.all([chain(0), chain(1), chain(2)])).toEqual([100, 100, 100]);
  });

  it("rests after a go where that is wanted, for more to come together", async () => {
    const { call, goes, end } = heldWork({ restMs: 20 });
    const results = [call("a")];
    await gathered();
    results.push(call("b"));
    await end();
    results.push(call("c"));
    await gathered();
    expect(goes).toEqual([["a"]]);
    await expect.poll(() => goes).toEqual([["a"], ["b", "c"]]);
    await end();
    expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
    // Those who called are answered before the rest, not after it.
    results.push(call("d"));
    await gathered();
    expect(goes).toHaveLength(2);
    await expect.poll(() => goes).toHaveLength(3);
    await end();
  });

  it("lets others pass a go that takes long, but for those that share a key with it", async () => {
    const { call, goes, end } = heldWork({ keyOf: (item) => item[0] ?? "" });
    const first = call("a1");
    await gathered();
    const results = Promise.all([first, ...["a2", "b1", "b2", "c1"].map(call)]);
    await expect.poll(() => goes).toEqual([["a1"], ["b1", "b2", "c1"]]);
    const later = Promise.all(["a3", "d1", "b3"].map(call));
    await expect.poll(() => goes.slice(2)).toEqual([["d1"]]);
    // The first one ends: what waited for it goes while the others are late.
    await end();
    await expect.poll(() => goes.slice(3)).toEqual([["a2", "a3"]]);
    for (let n = 0; n < 4; n++) await end();
    expect(goes.slice(4)).toEqual([["b3"]]);
    await end();
    expect([await results, await later]).toEqual([
      ["A1", "A2", "B1", "B2", "C1"],
      ["A3", "D1", "B3"],
    ]);
  });

  it("has no more than four goes of a lane under way, however late they are", async () => {
    const { call, goes, end } = heldWork({ keyOf: (item) => item });
    const results: Promise<string>[] = [];
    for (const item of ["a", "b", "c", "d"]) {
      results.push(call(item));
      await expect.poll(() => goes.at(-1)).toEqual([item]);
    }
    results.push(call("e"));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(goes).toHaveLength(4);
    await end();
    expect(goes.at(-1)).toEqual(["e"]);
    for (let n = 0; n < 4; n++) await end();
    expect(await Promise.all(results)).toEqual(["A", "B", "C", "D", "E"]);
  });

  it("lets lanes go apart", async () => {
    const { call, goes, end } = heldWork({ laneOf: (item) => item[0] ?? "" });
    const first = ["a1", "b1"].map(call);
    await gathered();
    expect(goes).toEqual([["a1"], ["b1"]]);
    const results = Promise.all([...first, ...["a2", "b2"].map(call)]);
    await end();
    expect(goes.slice(2)).toEqual([["a2"]]);
    await end();
    expect(goes.slice(3)).toEqual([["b2"]]);
    await end();
    await end();
    expect(await results).toEqual(["A1", "B1", "A2", "B2"]);
  });

  it("does a failed go again one by one where that is harmless, so that none fails by another's fault", async () => {
    const goes: string[][] = [];
    const call = together<string, string>({
      max: 10,
      work: async (items) => {
        goes.push(items);
        await new Promise((resolve) => setImmediate(resolve));
        if (items.includes("bad")) throw new Error("refused");
        return items;
      },
      isRepeatable: (error) => (error as Error).message === "refused",
    });
    const results = await Promise.allSettled(["good", "bad", "fine"].map(call));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(goes).toEqual([["good", "bad", "fine"], ["good"], ["bad"], ["fine"]]);
  });

  it("waits for single results of a go with nobody but their callers and those that share a key with them", async () => {
    const open = new Map<string, (error: Error) => void>();
    const goes: string[][] = [];
    const call = together<string, string>({
      max: 10,
      keyOf: (item) => item[0] ?? "",
      work: async (items) => {
        goes.push(items);
        return items.map((item) =>
          item.endsWith("?") ? new Promise<string>((_resolve, reject) => open.set(item, reject)) : item,
        );
      },
    });
    const doubtful = Array.from({ length: 6 }, (_, n) => call(`${n}?`));
    expect(await call("a")).toBe("a");
    const behind = call("0");
    expect(await call("b")).toBe("b");
    expect(goes).toEqual([["0?", "1?", "2?", "3?", "4?", "5?", "a"], ["b"]]);
    for (const reject of open.values()) reject(new Error("refused"));
    const failed = await Promise.allSettled(doubtful);
    expect(failed.every(({ status }) => status === "rejected")).toBe(true);
    expect([await behind, goes.at(-1)]).toEqual(["0", ["0"]]);
  });

  it("lets those go on who came during a go, though some of its results are still to come", async () => {
    const gate = Promise.withResolvers<void>();
    const call = together<string, string>({
      max: 1,
      keyOf: (item) => item,
      work: async ([item = ""]) => {
        await gate.promise;
        return [item === "open" ? new Promise<string>(() => {}) : item];
      },
    });
    void call("open");
    const behind = call("behind");
    gate.resolve();
    expect(await behind).toBe("behind");
  });

  it("lets all of a go fail by what is not, and goes on with the next", async () => {
    const { call, end, goes } = heldWork({ isRepeatable: () => false });
    const first = call("a");
    await gathered();
    const results = Promise.allSettled([first, ...["b", "c", "d", "e"].map(call)]);
    await end();
    await end(new Error("away"));
    await end();
    expect((await results).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(goes).toHaveLength(3);
  });
});
