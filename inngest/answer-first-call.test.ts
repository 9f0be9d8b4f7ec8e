import { NonRetriableError, RetryAfterError } from "inngest";
import { describe, expect, it } from "vitest";
import { type Answer, answerFirstCall, type OwnCall } from "@/inngest/answer-first-call";
import { makeEndpoint } from "@/inngest/answer-here";
import { buildCallBody } from "@/inngest/embedded/call-function";
import type { ClaimedItem } from "@/inngest/embedded/claim-items";
import { readReply } from "@/inngest/embedded/read-reply";
import { makeClient } from "@/inngest/embedded/testing/test-app";

const client = makeClient("http://127.0.0.1:1");
let attempts = 0;
const on = { triggers: [{ event: "called" }], retries: 3 as const };
const FUNCTIONS = [
  client.createFunction({ id: "returns", ...on }, ({ event, attempt, maxAttempts, runId }) => {
    return { data: event.data, id: event.id, ts: event.ts, attempt, maxAttempts, runId, none: undefined };
  }),
  client.createFunction({ id: "returns-nothing", ...on }, () => undefined),
  client.createFunction({ id: "throws", ...on }, () => {
    throw new RangeError("out of reach", { cause: new Error("the wall") });
  }),
  client.createFunction({ id: "throws-text", ...on }, () => Promise.reject("only words")),
  client.createFunction({ id: "gives-up", ...on }, () => {
    throw new NonRetriableError("never");
  }),
  client.createFunction({ id: "asks-for-time", ...on }, () => {
    throw new RetryAfterError("later", 7_000);
  }),
  client.createFunction({ id: "one-step", ...on }, ({ step }) => step.run("only", () => ({ n: ++attempts > 0 }))),
  client.createFunction({ id: "step-throws", ...on }, ({ step }) =>
    step.run("only", () => {
      throw new Error("broken");
    }),
  ),
  client.createFunction({ id: "two-steps", ...on }, ({ step }) =>
    Promise.all([step.run("left", () => 1), step.run("right", () => 2)]),
  ),
  client.createFunction({ id: "sleeps", ...on }, async ({ step }) => {
    await step.sleep("nap", "90s");
  }),
];
const byId = new Map(FUNCTIONS.map((fn) => [fn.id(client.id), fn]));
const endpoint = makeEndpoint(client, FUNCTIONS);

function callOf(functionId: string, more: Partial<ClaimedItem> = {}): OwnCall {
  const event = { id: "evt_1", name: "called", data: { text: "ä\u2028", list: [1, null] }, ts: 1_700_000_000_000 };
  const item: ClaimedItem = {
    ...{ runId: "run_1", stepId: "step", functionId, isSleep: false, attempt: 1, losses: 0, generation: 1 },
    ...{ event: JSON.stringify(event), memos: [], ...more },
  };
  const query = new URLSearchParams({ fnId: functionId, stepId: item.stepId });
  return { url: `http://127.0.0.1:1/api/inngest?${query}`, headers: {}, body: buildCallBody(item, 4) };
}

/** As the runner understands it; stacks name the lines that called. */
function meaningOf(answer: Answer | null): unknown {
  if (!answer) return null;
  const withoutStacks = (key: string, value: unknown) => (key === "stack" ? undefined : value);
  return JSON.parse(JSON.stringify(readReply(answer), withoutStacks));
}

describe("the first call of a run", () => {
  it.each(FUNCTIONS.map((fn) => fn.id()))("comes to what the SDK's endpoint says: %s", async (name) => {
    const call = callOf(`app-${name}`);
    const direct = meaningOf(await answerFirstCall(client, byId, call));
    expect(direct).toEqual(meaningOf(await endpoint(call)));
    expect(direct).toHaveProperty("kind");
  });

  it("gives the function its event, run and attempt", async () => {
    const answer = await answerFirstCall(client, byId, callOf("app-returns"));
    expect(JSON.parse(answer?.body ?? "")).toEqual({
      ...{ data: { text: "ä\u2028", list: [1, null] }, id: "evt_1", ts: 1_700_000_000_000 },
      ...{ attempt: 1, maxAttempts: 4, runId: "run_1" },
    });
  });
});

describe("any other call", () => {
  it("is left to the endpoint: of a step, of a run that has results, of an unknown function", async () => {
    const calls = [
      callOf("app-one-step", { stepId: "planned" }),
      callOf("app-one-step", { memos: [{ stepId: "earlier", output: '{"data":1}' }] }),
      callOf("app-unknown"),
    ];
    for (const call of calls) expect(await answerFirstCall(client, byId, call)).toBeNull();
  });
});
