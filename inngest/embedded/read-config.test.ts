import { describe, expect, it } from "vitest";
import { isTriggeredBy, laneOf, readRegistration } from "@/inngest/embedded/read-config";

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
