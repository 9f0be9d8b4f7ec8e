import { describe, expect, it } from "vitest";
import { isTriggeredBy, laneOf, readRegistration, shareOf } from "@/inngest/embedded/read-config";

const read = (changes: object) => {
  const config = {
    id: "app-fn",
    triggers: [{ event: "go" }],
    steps: { step: { id: "step", name: "step", runtime: {} } },
    ...changes,
  };
  const [fn] = readRegistration({ appName: "app", functions: [config] }).functions;
  if (!fn) throw new Error("no function");
  return fn;
};

describe("readRegistration", () => {
  it.each([
    [{ id: "step" }, 5],
    [{ id: "step", retries: {} }, 5],
    [{ id: "step", retries: { attempts: 0 } }, 1],
    [{ id: "step", retries: { attempts: 20 } }, 21],
  ])("reads retries %j as %i attempts", (step, maxAttempts) => {
    expect(read({ steps: { step } }).maxAttempts).toBe(maxAttempts);
  });

  it.each([
    [undefined, []],
    [0, []],
    [7, [{ key: "", path: [], limit: 7 }]],
    [{ limit: 2, key: "event.data.user.id" }, [{ key: "event.data.user.id", path: ["user", "id"], limit: 2 }]],
    [
      [
        { limit: 2, scope: "fn" },
        { limit: 1, key: "event.data.a" },
      ],
      [
        { key: "", path: [], limit: 2 },
        { key: "event.data.a", path: ["a"], limit: 1 },
      ],
    ],
  ])("reads concurrency %j", (concurrency, expected) => {
    expect(read({ concurrency }).concurrency).toEqual(expected);
  });

  it("reads where a run's priority is", () => {
    expect(read({ priority: { run: "int(event.data.a.b)" } }).priority).toEqual(["a", "b"]);
    for (const none of [{}, { priority: null }, { priority: {} }]) expect(read(none)).not.toHaveProperty("priority");
  });

  it.each(["event.data.a", "600", "int(event.ts)", "int(event.data.a) + 1"])(
    "refuses the priority %j by name",
    (run) => {
      expect(() => read({ priority: { run } })).toThrow("only int(event.data.<path>)");
    },
  );

  it("names every problem of every function at once", () => {
    const functions = [
      { id: "app-a", triggers: [{ event: "go" }], steps: { step: {} }, debounce: {}, throttle: {} },
      { id: "app-b", triggers: [{ cron: "nonsense" }], steps: { step: {} } },
      { id: "app-c", triggers: [{ event: "go/*" }, { event: "go", batch: 2 }], steps: { step: {} } },
    ];
    expect(() => readRegistration({ appName: "app", functions })).toThrow(
      /function app-a: "debounce".*function app-a: "throttle".*function app-b: cron "nonsense".*function app-c: a trigger needs an event name.*function app-c: trigger option "batch"/,
    );
  });

  it.each([null, [], {}, { appName: "app" }, { appName: "app", functions: [{}] }])("refuses %j", (body) => {
    expect(() => readRegistration(body)).toThrow("not understood");
  });
});

describe("isTriggeredBy", () => {
  const onFailure = read({
    triggers: [{ event: "inngest/function.failed", expression: "event.data.function_id == 'app-fn'" }],
  });
  it.each([
    [{ name: "inngest/function.failed", data: { function_id: "app-fn" } }, true],
    [{ name: "inngest/function.failed", data: { function_id: "app-other" } }, false],
    [{ name: "inngest/function.failed", data: {} }, false],
    [{ name: "go", data: { function_id: "app-fn" } }, false],
  ])("follows the expression for %j", (event, expected) => {
    expect(isTriggeredBy(onFailure, event)).toBe(expected);
  });
});

describe("laneOf", () => {
  const fn = read({ concurrency: [{ limit: 9 }, { limit: 1, key: "event.data.a.b" }] });
  it("is the same for equal values alone, whatever they are", () => {
    const values = [1, "1", null, true, {}, [], "a\nb", "x".repeat(10_000)];
    const lanes = values.map((b) => laneOf(fn, { a: { b } }));
    expect(new Set(lanes).size).toBe(values.length);
    expect(laneOf(fn, { a: { b: "1" } })).toBe(lanes[1]);
    for (const lane of lanes) expect(lane.split("\n").length).toBe(2);
  });

  it("takes events without the value as one group", () => {
    expect(laneOf(fn, {})).toBe(laneOf(fn, { a: 3 }));
    expect(laneOf(fn, { a: Object.create({ b: 1 }) })).toBe(laneOf(fn, {}));
  });
});

describe("a run's priority", () => {
  const concurrency = [{ limit: 9 }, { limit: 1, key: "event.data.a" }];
  const fn = read({ concurrency, priority: { run: "int(event.data.p)" } });
  const plain = laneOf(read({ concurrency }), { a: 1 });

  it("parts a lane, and leaves the share of its keys one", () => {
    for (const priority of [600, 0, -600]) {
      const lane = laneOf(fn, { a: 1, p: priority });
      expect(lane).not.toBe(plain);
      expect(shareOf(lane)).toEqual({ share: shareOf(plain).share, priority });
    }
    expect(shareOf(laneOf(fn, { a: 2, p: 600 })).share).not.toBe(shareOf(plain).share);
  });

  it.each([undefined, null, "600", 1.5, {}])("is none where the event has %j there", (p) => {
    expect(laneOf(fn, { a: 1, p })).toBe(plain);
    expect(shareOf(plain)).toEqual({ share: `${plain}\n`, priority: 0 });
  });

  it("is also that of a function without limits", () => {
    const unlimited = read({ priority: { run: "int(event.data.p)" } });
    expect(laneOf(unlimited, {})).toBe("app-fn|");
    expect(shareOf(laneOf(unlimited, { p: 7 }))).toEqual({ share: "app-fn|\n", priority: 7 });
  });
});
