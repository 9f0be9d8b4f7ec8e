import { describe, expect, it } from "vitest";
import { readReply } from "@/inngest/embedded/read-reply";

const SDK = { "x-inngest-sdk": "inngest-js:v4.24.0", "x-inngest-req-version": "2" };
const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readReply({ status, body: typeof body === "string" ? body : JSON.stringify(body), headers: { ...SDK, ...headers } });

describe("readReply", () => {
  it.each([
    ["a result", 200, { b: 1, a: 2 }, { kind: "done", output: '{"b":1,"a":2}' }],
    ["a finished run among steps", 206, [{ id: "c", op: "RunComplete", data: 1 }], { kind: "done", output: "1" }],
    [
      "a step that ran",
      206,
      [{ id: "s", op: "StepRun", data: { b: 1, a: 2 } }],
      { kind: "memo", stepId: "s", output: '{"data":{"a":2,"b":1}}' },
    ],
    ["a step without data", 206, [{ id: "s", op: "StepRun" }], { kind: "memo", stepId: "s", output: '{"data":null}' }],
    [
      "a step that failed for good",
      206,
      [{ id: "s", op: "StepFailed", error: { name: "E", message: "m" } }],
      { kind: "memo", stepId: "s", output: '{"error":{"message":"m","name":"E"}}' },
    ],
    [
      "several steps",
      206,
      [
        { id: "a", op: "StepPlanned" },
        { id: "b", op: "Sleep", name: "1m" },
      ],
      { kind: "plan", steps: [{ stepId: "a" }, { stepId: "b", sleepMs: 60_000 }] },
    ],
  ])("knows %s", (_, status, body, expected) => {
    expect(read(status, body)).toEqual(expected);
  });

  it.each([
    [
      "a step's error",
      206,
      [{ id: "s", op: "StepError", error: { name: "E", message: "m" } }],
      {},
      { isFinal: false, error: { name: "E", message: "m" } },
    ],
    [
      "the wait it asks for",
      206,
      [{ id: "s", op: "StepError", error: {} }],
      { "retry-after": "3" },
      { isFinal: false, afterMs: 3_000 },
    ],
    [
      "a function's error",
      500,
      { name: "E", message: "m" },
      { "x-inngest-no-retry": "false" },
      { isFinal: false, error: { name: "E", message: "m" } },
    ],
    [
      "the wait that a function's error asks for",
      500,
      { name: "E", message: "m" },
      { "x-inngest-no-retry": "false", "retry-after": "3" },
      { isFinal: false, afterMs: 3_000 },
    ],
    ["a final error", 400, { name: "E", message: "m" }, { "x-inngest-no-retry": "true" }, { isFinal: true }],
    [
      "an error without a form",
      500,
      "boom",
      { "x-inngest-no-retry": "false" },
      { isFinal: false, error: { message: "boom" } },
    ],
    ["a list it does not understand", 206, [{}], {}, { isFinal: false }],
    ["an empty list", 206, [], {}, { isFinal: false }],
  ])("takes %s as a failed attempt", (_, status, body, headers, expected) => {
    expect(read(status, body, headers)).toMatchObject({ kind: "failed", ...expected });
  });

  it.each([
    ["waitForEvent", 206, [{ id: "w", op: "WaitForEvent" }], {}],
    ["invoke", 206, [{ id: "w", op: "InvokeFunction" }], {}],
    ["race mode", 206, [{ id: "a", op: "StepPlanned", opts: { parallelMode: "race" } }], {}],
    ["optimizeParallelism: false", 206, [{ id: "a", op: "StepPlanned" }], { "x-inngest-req-version": "1" }],
    ["streaming", 201, "", {}],
  ])("ends the run at once for %s, which is not supported", (_, status, body, headers) => {
    expect(read(status, body, headers)).toMatchObject({
      kind: "failed",
      isFinal: true,
      error: { message: expect.stringContaining("does not support") },
    });
  });

  it.each([401, 404, 429, 502, 503, 504])("does not count a %i from before the SDK", (status) => {
    expect(readReply({ status, body: "", headers: {} })).toMatchObject({ kind: "away" });
  });

  it("takes an error of the SDK itself as no answer: the function did not begin", () => {
    const reply = read(500, {
      type: "internal",
      name: "Error",
      message: 'Function "app-new" was not found in this app',
    });
    expect(reply).toMatchObject({ kind: "lost", reason: expect.stringContaining("was not found") });
  });

  it.each([200, 206, 413, 500])("takes a %i from before the SDK as no answer", (status) => {
    expect(readReply({ status, body: "[]", headers: {} })).toMatchObject({ kind: "lost" });
  });
});
