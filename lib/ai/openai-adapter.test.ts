import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import type { ModelFault } from "@/e2e/support/model-server-orders";
import type { AnswerRequest, ModelPort } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";
import { reasonOf } from "@/lib/ai/reason-of";
import { TurnError } from "@/lib/domain/turn-errors";

let server: ModelServer;
/** With limits that a busy machine keeps. */
let model: ModelPort;
/** With limits that a test can wait for. */
let impatient: ModelPort;

beforeAll(async () => {
  server = await startModelServer();
  const settings = { apiKey: "test-key", baseUrl: server.baseUrl };
  model = createOpenAiModel({ ...settings, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
  impatient = createOpenAiModel({ ...settings, idleTimeoutSeconds: 0.4, timeoutSeconds: 1.2 });
});
afterEach(() => {
  server.setBehaviour({});
  server.journal.length = 0;
});
afterAll(() => server.stop());

const ask = (text: string, more: Partial<AnswerRequest> = {}): AnswerRequest => ({
  model: "gpt-4.1-mini",
  messages: [{ role: "user", parts: [{ type: "text", text }] }],
  ...more,
});

/** The error of a call, and what was told before it. */
async function failure(request: AnswerRequest, port = model): Promise<{ error: TurnError; deltas: string[] }> {
  const deltas: string[] = [];
  const error = await port
    .streamAnswer(request, (delta) => deltas.push(delta))
    .then(
      () => expect.fail("the call succeeded"),
      (reason: unknown) => reason,
    );
  expect(error).toBeInstanceOf(TurnError);
  return { error: error as TurnError, deltas };
}

describe("an answer", () => {
  it("comes in deltas that join to its text, with the provider's own counts", async () => {
    const deltas: string[] = [];
    const answer = await model.streamAnswer(ask("Tell me something long enough for chunks"), (delta) =>
      deltas.push(delta),
    );
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.join("")).toBe(answer.text);
    expect(answer).toMatchObject({
      text: "Echo: Tell me something long enough for chunks",
      model: "gpt-4.1-mini",
      finishReason: "stop",
      isEstimated: false,
    });
    expect(answer.tokensIn).toBeGreaterThan(0);
    expect(answer.tokensOut).toBeGreaterThan(0);
  });

  it("is handed on while it is still being written", async () => {
    const times: number[] = [];
    await model.streamAnswer(ask("one two three four five six [[slow:60ms]]"), () => times.push(performance.now()));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(60);
  });

  it.each(["漢字と絵文字 😀👩‍👩‍👧 ", "line\r\nbreaks\n\nand\u2028more", "data: [DONE]\n\n"])(
    "keeps every character of %j",
    async (text) => {
      const answer = await model.streamAnswer(ask(`${text}[[chunk:1]]`), () => {});
      expect(answer.text).toBe(`Echo: ${text}[[chunk:1]]`);
    },
  );

  it("is counted by estimate, and says so, when the server does not count", async () => {
    const answer = await model.streamAnswer(ask("Count this yourself [[no-usage]]"), () => {});
    expect(answer.isEstimated).toBe(true);
    expect(answer.tokensIn).toBeGreaterThan(5);
    expect(answer.tokensOut).toBeGreaterThan(5);
  });

  it("says when it was cut at the limit", async () => {
    expect((await model.streamAnswer(ask("[[finish:length]]"), () => {})).finishReason).toBe("length");
  });

  it("counts when it is complete, though the server keeps its connection open", async () => {
    const answer = await impatient.streamAnswer(ask("Hi [[linger]]"), () => {});
    expect(answer).toMatchObject({ text: "Echo: Hi [[linger]]", finishReason: "stop", isEstimated: true });
  });

  it("is taken whole from a server that does not stream, with its tool calls and counts", async () => {
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "create_image", arguments: '{"prompt":"a hut"}' },
    };
    const whole = {
      model: "small",
      choices: [{ index: 0, message: { content: "Grüße 😀", tool_calls: [call] }, finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    };
    const answer = await askWhole(whole);
    expect(answer).toEqual({
      deltas: ["Grüße 😀"],
      text: "Grüße 😀",
      model: "small",
      finishReason: "tool_calls",
      toolCalls: [{ id: "call_1", name: "create_image", argumentsText: '{"prompt":"a hut"}' }],
      tokensIn: 7,
      tokensOut: 3,
      isEstimated: false,
    });
    expect(await askWhole(whole, "\n \n")).toEqual(answer);
    await expect(askWhole({ error: { message: "away" } })).rejects.toBeInstanceOf(TurnError);
    await expect(askWhole({})).rejects.toBeInstanceOf(TurnError);
  });

  it("may be empty", async () => {
    server.setBehaviour({ answer: "" });
    expect(await model.streamAnswer(ask("Say nothing"), () => {})).toMatchObject({ text: "", finishReason: "stop" });
  });

  it("takes 200,000 characters", async () => {
    expect((await model.streamAnswer(ask("[[size:200000]]"), () => {})).text).toHaveLength(200_000);
  });

  it("may take longer than the idle limit while bytes keep coming", async () => {
    const { baseUrl } = server;
    const patientInAll = createOpenAiModel({ baseUrl, idleTimeoutSeconds: 1, timeoutSeconds: 20 });
    const answer = await patientInAll.streamAnswer(ask("[[size:80]][[slow:350ms]]"), () => {});
    expect(answer.text).toHaveLength(80);
  });
});

describe("what is sent", () => {
  it("carries roles, texts in order, limit and idempotency key", async () => {
    await model.streamAnswer(
      ask("", {
        messages: [
          { role: "system", parts: [{ type: "text", text: "Rules" }] },
          { role: "user", parts: [{ type: "text", text: "First" }] },
          { role: "assistant", parts: [{ type: "text", text: "Answer" }] },
          {
            role: "user",
            parts: [
              { type: "text", text: "File" },
              { type: "text", text: "Second" },
            ],
          },
        ],
        maxOutputTokens: 77,
        idempotencyKey: "turn-1",
      }),
      () => {},
    );
    const sent = server.journal[0];
    expect(sent?.body).toEqual({
      model: "gpt-4.1-mini",
      messages: [
        { role: "system", content: "Rules" },
        { role: "user", content: "First" },
        { role: "assistant", content: "Answer" },
        { role: "user", content: "File\n\nSecond" },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 77,
    });
    expect(sent?.headers).toMatchObject({ authorization: "Bearer test-key", "idempotency-key": "turn-1" });
  });

  it("uses the limit's old name for models of other makers", async () => {
    await model.streamAnswer(ask("Hi", { model: "llama3", maxOutputTokens: 5 }), () => {});
    expect(server.journal[0]?.body).toMatchObject({ max_tokens: 5 });
    expect(server.journal[0]?.body).not.toHaveProperty("max_completion_tokens");
  });

  it("carries pictures as data URLs", async () => {
    const parts = [
      { type: "text" as const, text: "What is this?" },
      { type: "image" as const, mediaType: "image/png", bytes: Buffer.from("xxPNGxx").subarray(2, 5) },
    ];
    await model.streamAnswer({ model: "gpt-4o", messages: [{ role: "user", parts }] }, () => {});
    expect(server.journal[0]?.messages[0]?.content).toEqual([
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${Buffer.from("PNG").toString("base64")}` } },
    ]);
  });

  it("tells nothing about the machine", async () => {
    await model.streamAnswer(ask("Hi"), () => {});
    expect(Object.keys(server.journal[0]?.headers ?? {}).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  it("goes over connections that are kept, call after call", async () => {
    for (let call = 0; call < 10; call++) await model.streamAnswer(ask("Again"), () => {});
    // Two: a call may begin while the last bytes of the one before are still being read.
    expect(new Set(server.journal.map((entry) => entry.connection)).size).toBeLessThanOrEqual(2);
  });
});

describe("a fault", () => {
  type Case = [fault: ModelFault, code: string, isRetryable: boolean];
  const status = (value: number): ModelFault => ({ kind: "status", status: value });
  const CASES: Case[] = [
    [status(429), "MODEL_RATE_LIMITED", true],
    [status(500), "MODEL_UNAVAILABLE", true],
    [status(502), "MODEL_UNAVAILABLE", true],
    [status(503), "MODEL_UNAVAILABLE", true],
    [status(408), "MODEL_UNAVAILABLE", true],
    [status(401), "MODEL_NOT_CONFIGURED", false],
    [status(403), "MODEL_NOT_CONFIGURED", false],
    [status(400), "MODEL_REJECTED", false],
    [status(404), "MODEL_NOT_CONFIGURED", false],
    [status(413), "MODEL_REJECTED", false],
    [status(422), "MODEL_REJECTED", false],
    [status(402), "MODEL_UNAVAILABLE", false],
    [{ kind: "status", status: 429, code: "insufficient_quota" }, "MODEL_UNAVAILABLE", false],
    [{ kind: "reset" }, "MODEL_UNAVAILABLE", true],
    [{ kind: "break" }, "MODEL_UNAVAILABLE", true],
    [{ kind: "end" }, "MODEL_UNAVAILABLE", true],
    [{ kind: "malformed" }, "MODEL_UNAVAILABLE", true],
    [{ kind: "stream-error" }, "MODEL_UNAVAILABLE", true],
    [{ kind: "stream-error", code: "rate_limit_exceeded" }, "MODEL_RATE_LIMITED", true],
    [{ kind: "stream-error", code: "insufficient_quota" }, "MODEL_UNAVAILABLE", false],
    [{ kind: "hang" }, "MODEL_TIMEOUT", true],
    [{ kind: "stall" }, "MODEL_TIMEOUT", true],
    [{ kind: "keep-alive" }, "MODEL_TIMEOUT", true],
  ];

  it.each(CASES)(
    "%j ends as %s, to be tried again: %s, after one request, in our own words",
    async (fault, code, isRetryable) => {
      server.setBehaviour({ fault });
      const port = code === "MODEL_TIMEOUT" ? impatient : model;
      const { error } = await failure(ask("Please answer this question at length"), port);
      expect(error).toMatchObject({ code, isRetryable });
      expect(error.message).not.toMatch(/SECRET|org-|\d{3}/);
      expect(server.journal).toHaveLength(1);
    },
  );

  it.each([
    ["hang", "nothing came for 0.4 s"],
    ["stall", "nothing came for 0.4 s"],
    ["keep-alive", "not done after 1.2 s"],
  ] as const)("by a %s tells the log which limit was reached", async (kind, reason) => {
    server.setBehaviour({ fault: { kind } });
    expect(reasonOf((await failure(ask("Please answer this question at length"), impatient)).error)).toBe(reason);
  });

  it("in the middle leaves what was told before it", async () => {
    const { deltas } = await failure(ask("Please answer this question at length [[break]]"));
    expect(deltas.join("")).toBe("Echo: Please answer this question".slice(0, deltas.join("").length));
    expect(deltas.length).toBeGreaterThan(0);
  });

  it("is over after the number of times that were asked for", async () => {
    const request = ask("[[fail:503:2]] then fine");
    await failure(request);
    await failure(request);
    expect((await model.streamAnswer(request, () => {})).text).toContain("then fine");
  });

  it.each([
    ["7", 7],
    ["0", 0],
    ["99999", 3600],
    ["soon", undefined],
  ])("with Retry-After %s says to wait %s seconds", async (retryAfter, seconds) => {
    server.setBehaviour({ fault: { kind: "status", status: 429, retryAfter } });
    expect((await failure(ask("Hi"))).error.retryAfterSeconds).toBe(seconds);
  });

  it("of input that is too long is named", async () => {
    server.setBehaviour({ fault: { kind: "status", status: 400, code: "context_length_exceeded" } });
    expect((await failure(ask("Hi"))).error).toMatchObject({
      code: "MODEL_REJECTED",
      message: expect.stringMatching(/longer than/),
    });
  });

  it("of a server that is not there may be tried again", async () => {
    const port = await freePort();
    const absent = createOpenAiModel({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      idleTimeoutSeconds: 5,
      timeoutSeconds: 5,
    });
    expect((await failure(ask("Hi"), absent)).error).toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
  });

  it.each(["hang", "stall", "keep-alive"] as const)("of the kind %s lets go of the connection", async (kind) => {
    server.setBehaviour({ fault: { kind } });
    await failure(ask("Hi"), impatient);
    await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
  });
});

describe("a stop from outside", () => {
  it.each(["[[hang]]", "[[stall]]", "[[slow:100ms]][[size:200]]"])(
    "in the middle of %s throws the signal's own reason",
    async (orders) => {
      const controller = new AbortController();
      const reason = new Error("the client canceled");
      const call = model.streamAnswer(ask(`Hi ${orders}`, { signal: controller.signal }), () => {});
      const outcome = call.then(
        () => "answered",
        (error: unknown) => error,
      );
      await server.waitForRequests(1);
      controller.abort(reason);
      expect(await outcome).toBe(reason);
      await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
    },
  );

  it("before the call sends nothing", async () => {
    const reason = new Error("too late");
    await expect(model.streamAnswer(ask("Hi", { signal: AbortSignal.abort(reason) }), () => {})).rejects.toBe(reason);
    expect(server.journal).toHaveLength(0);
  });

  it("by an error of the caller's own comes back as that error", async () => {
    const reason = new Error("the log refused the chunk");
    const call = model.streamAnswer(ask("Hi [[slow:100ms]][[size:300]]"), () => {
      throw reason;
    });
    await expect(call).rejects.toBe(reason);
    await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
  });
});

/** What comes of a server whose answer to every call is this JSON, behind what keeps the line open while it is made. */
async function askWhole(json: object, before = "") {
  const whole = createHttpServer((_, response) => {
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    if (before !== "") response.write(before);
    setImmediate(() => response.end(JSON.stringify(json)));
  });
  await new Promise<void>((resolve) => whole.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(whole.address() as AddressInfo).port}/v1`;
  const deltas: string[] = [];
  try {
    const port = createOpenAiModel({ baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
    return { ...(await port.streamAnswer(ask("Hi"), (delta) => deltas.push(delta))), deltas };
  } finally {
    whole.closeAllConnections();
    whole.close();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
