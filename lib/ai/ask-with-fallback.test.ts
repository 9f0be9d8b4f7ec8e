import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import type { ModelFault } from "@/e2e/support/model-server-orders";
import { type Fallback, withFallback } from "@/lib/ai/ask-with-fallback";
import type { AnswerRequest, ModelAnswer, ModelMessage } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";

let provider: ModelServer;
let fallback: ModelServer;

beforeAll(async () => {
  [provider, fallback] = await Promise.all([startModelServer(), startModelServer()]);
});
afterEach(() => {
  for (const server of [provider, fallback]) {
    server.setBehaviour({});
    server.journal.length = 0;
  }
});
afterAll(() => Promise.all([provider.stop(), fallback.stop()]));

const portOf = ({ baseUrl }: ModelServer) =>
  createOpenAiModel({ baseUrl, idleTimeoutSeconds: 0.5, timeoutSeconds: 20 });

/** A process of its own, as it were. */
const newAsk = (model: string | null = "stand-in", now?: () => number) =>
  withFallback(portOf(provider), { port: portOf(fallback), model }, undefined, now);

const user = (text: string): ModelMessage => ({ role: "user", parts: [{ type: "text", text }] });

async function answerOf(ask: ReturnType<typeof newAsk>, text = "Hi", more: Partial<AnswerRequest> = {}) {
  const deltas: string[] = [];
  const answer = await ask({ model: "m", messages: [user(text)], ...more }, (delta) => deltas.push(delta));
  return { ...answer, deltas: deltas.join("") };
}

const failing = (fault: ModelFault) => provider.setBehaviour({ fault });
const UNAVAILABLE: ModelFault = { kind: "status", status: 503 };

describe("the fallback", () => {
  it("is not asked while the provider answers", async () => {
    expect(await answerOf(newAsk())).toMatchObject({ text: "Echo: Hi", model: "m" });
    expect(fallback.journal).toEqual([]);
  });

  it.each<[string, ModelFault]>([
    ["is away", { kind: "reset" }],
    ["is overloaded", UNAVAILABLE],
    ["has too many requests", { kind: "status", status: 429 }],
    ["is paid for no longer", { kind: "status", status: 429, code: "insufficient_quota" }],
    ["lets through less in a minute", { kind: "status", status: 429, message: "Request too large for m on TPM" }],
    [
      "lets through less in a minute, and says so in another way",
      { kind: "status", status: 413, code: "rate_limit_exceeded", message: "Request too large for m on TPM" },
    ],
    ["takes the key no longer", { kind: "status", status: 401 }],
    ["does not answer in time", { kind: "hang" }],
  ])("answers the same call where the provider %s", async (_what, fault) => {
    failing(fault);
    const answer = await answerOf(newAsk(), "Hi", { idempotencyKey: "turn-1", maxOutputTokens: 9 });
    expect(answer).toMatchObject({ text: "Echo: Hi", deltas: "Echo: Hi", model: "stand-in" });
    expect(fallback.journal).toHaveLength(1);
    expect(fallback.journal[0]?.body).toMatchObject({ model: "stand-in", max_tokens: 9 });
    expect(fallback.journal[0]?.headers["idempotency-key"]).toBe("turn-1:fallback");
  });

  it("is asked for the call's own model where the settings name none for it", async () => {
    failing(UNAVAILABLE);
    expect(await answerOf(newAsk(null))).toMatchObject({ model: "m" });
    expect(fallback.journal[0]?.body.model).toBe("m");
  });

  it.each<[string, ModelFault, string]>([
    ["refuses what it is asked", { kind: "status", status: 400 }, "MODEL_REJECTED"],
    [
      "has a model that takes no such long input",
      { kind: "status", status: 400, code: "context_length_exceeded" },
      "MODEL_REJECTED",
    ],
    ["broke off after its first words, which were told already", { kind: "break" }, "MODEL_UNAVAILABLE"],
  ])("is not asked where the provider %s", async (_what, fault, code) => {
    failing(fault);
    await expect(answerOf(newAsk())).rejects.toMatchObject({ code });
    expect(fallback.journal).toEqual([]);
  });

  it.each<ModelFault>([{ kind: "break" }, { kind: "stall" }])(
    "gives the whole answer where the provider broke off one that nobody was told of: %j",
    async (fault) => {
      failing(fault);
      const answer = await newAsk()({ model: "m", messages: [user("Hi")] });
      expect(answer).toMatchObject({ text: "Echo: Hi", model: "stand-in" });
      expect([provider.journal.length, fallback.journal.length]).toEqual([1, 1]);
    },
  );

  it("is not asked once the call was stopped", async () => {
    failing({ kind: "hang" });
    const stop = new AbortController();
    const answer = answerOf(newAsk(), "Hi", { signal: stop.signal });
    await provider.waitForRequests(1);
    stop.abort(new Error("canceled"));
    await expect(answer).rejects.toThrow("canceled");
    expect(fallback.journal).toEqual([]);
  });
});

it("a model that is its own fallback is asked once in a try", async () => {
  const port = portOf(provider);
  failing(UNAVAILABLE);
  const ask = withFallback(port, { port, model: "m" });
  await expect(answerOf(ask)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  expect(provider.journal).toHaveLength(1);
});

describe("where both fail", () => {
  it.each<[string, ModelFault, ModelFault, Record<string, unknown>]>([
    ["the provider's failure counts", UNAVAILABLE, { kind: "status", status: 400 }, { code: "MODEL_UNAVAILABLE" }],
    [
      "the one is told that can be asked again",
      { kind: "status", status: 401 },
      { kind: "status", status: 429 },
      { code: "MODEL_RATE_LIMITED", isRetryable: true },
    ],
    [
      "the shorter wait counts",
      { kind: "status", status: 429, retryAfter: "900" },
      UNAVAILABLE,
      { code: "MODEL_UNAVAILABLE", isRetryable: true, retryAfterSeconds: undefined },
    ],
    [
      "the provider's limit is waited out though the fallback is away",
      { kind: "status", status: 429, retryAfter: "7" },
      UNAVAILABLE,
      { code: "MODEL_RATE_LIMITED", isRetryable: true, retryAfterSeconds: undefined },
    ],
    [
      "the fallback's limit is waited out though the provider is away",
      { kind: "status", status: 503, retryAfter: "5" },
      { kind: "status", status: 429, retryAfter: "7" },
      { code: "MODEL_RATE_LIMITED", isRetryable: true, retryAfterSeconds: 5 },
    ],
  ])("%s", async (_what, first, second, error) => {
    failing(first);
    fallback.setBehaviour({ fault: second });
    await expect(answerOf(newAsk())).rejects.toMatchObject(error);
    expect([provider.journal.length, fallback.journal.length]).toEqual([1, 1]);
  });
});

describe("the log", () => {
  it("warns of a provider and of a fallback that fail, each once in a while, with its reason", async () => {
    for (const name of ["provider-failed", "fallback-failed"]) {
      Reflect.deleteProperty(globalThis, Symbol.for(`service.news-${name}`));
    }
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    failing({ kind: "status", status: 401, message: "no such key" });
    fallback.setBehaviour({ fault: UNAVAILABLE });
    const ask = newAsk();
    for (let i = 0; i < 2; i++) await expect(answerOf(ask)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    written.mockRestore();
    expect(lines.filter(({ level }) => level === "warn").map(({ message, code }) => ({ message, code }))).toEqual([
      { message: "The model's provider failed; the fallback is asked.", code: "MODEL_NOT_CONFIGURED" },
      { message: "The fallback for the model failed, too.", code: "MODEL_UNAVAILABLE" },
    ]);
    expect(lines[0]?.reason).toContain("no such key");
  });
});

describe("a provider that fails again and again", () => {
  it("is passed by, until it answers one call that tries it", async () => {
    const clock = { ms: 0 };
    const ask = newAsk("stand-in", () => clock.ms);
    failing(UNAVAILABLE);
    for (let i = 0; i < 5; i++) expect((await answerOf(ask)).model).toBe("stand-in");
    expect([provider.journal.length, fallback.journal.length]).toEqual([3, 5]);

    provider.setBehaviour({});
    expect((await answerOf(ask)).model).toBe("stand-in");
    clock.ms = 30_000;
    expect((await answerOf(ask)).model).toBe("m");
    expect((await answerOf(ask)).model).toBe("m");
  });

  it("is asked first all the same for other models, and for one that answers between its failures", async () => {
    const ask = newAsk();
    provider.setBehaviour(({ model, lastUserText }) =>
      model === "slow" || lastUserText.includes("fails") ? { fault: UNAVAILABLE } : {},
    );
    for (let i = 0; i < 3; i++) await answerOf(ask, "Hi", { model: "slow" });
    for (const text of ["fails 1", "fails 2", "Hi", "fails 3", "fails 4"]) await answerOf(ask, text);
    provider.journal.length = 0;
    await answerOf(ask, "Hi", { model: "slow" });
    expect(provider.journal).toEqual([]);
    expect((await answerOf(ask)).model).toBe("m");
  });

  it("is asked after all where the fallback refuses, also what is no fault of the provider", async () => {
    const ask = newAsk();
    failing(UNAVAILABLE);
    for (let i = 0; i < 3; i++) await answerOf(ask);
    provider.setBehaviour({});
    fallback.setBehaviour({ fault: { kind: "status", status: 400 } });
    expect((await answerOf(ask)).model).toBe("m");
  });

  it("keeps its place for what fails through the call alone", async () => {
    const ask = newAsk();
    failing({ kind: "status", status: 400 });
    for (let i = 0; i < 5; i++) await expect(answerOf(ask)).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    provider.setBehaviour({});
    expect((await answerOf(ask)).model).toBe("m");
  });
});

describe("what a server puts beside its tool calls", () => {
  /** Answers once with a tool call, and notes what it is asked. */
  function portWithThoughts(isAway: () => boolean): Fallback["port"] & { asked: ModelMessage[][] } {
    const asked: ModelMessage[][] = [];
    return {
      asked,
      streamAnswer: (request) => {
        if (isAway()) return portOf(provider).streamAnswer(request, () => {});
        asked.push(request.messages);
        const toolCalls = [{ id: "1", name: "t", argumentsText: "{}", extraContent: { signature: "s" } }];
        const answer: ModelAnswer = {
          text: "",
          model: request.model,
          tokensIn: 1,
          tokensOut: 1,
          isEstimated: false,
          finishReason: "tool_calls",
          toolCalls,
          thoughts: { reasoning_content: "Hmm" },
        };
        return Promise.resolve(answer);
      },
    };
  }

  it("goes back to that server alone: another one would refuse it", async () => {
    failing(UNAVAILABLE);
    let isAway = false;
    const [first, second] = [portWithThoughts(() => isAway), portWithThoughts(() => false)];
    const ask = withFallback(first, { port: second, model: null });
    const { toolCalls, thoughts } = await ask({ model: "m", messages: [user("Hi")] }, () => {});
    const messages = [user("Hi"), { role: "assistant" as const, parts: [], toolCalls, thoughts }];

    await ask({ model: "m", messages }, () => {});
    expect(first.asked[1]).toEqual(messages);
    isAway = true;
    await ask({ model: "m", messages }, () => {});
    const calls = toolCalls?.map(({ extraContent: _own, ...call }) => call);
    expect(second.asked[0]).toEqual([user("Hi"), { role: "assistant", parts: [], toolCalls: calls }]);
  });
});
