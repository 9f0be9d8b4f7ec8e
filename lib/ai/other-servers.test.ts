import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  asStream,
  chunkOf,
  type RawAnswer,
  type RawModelServer,
  refusal,
  said,
  startRawModelServer,
} from "@/e2e/support/raw-model-server";
import type { AnswerRequest, ModelMessage } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";

/** How servers that are not OpenAI's own really answer, as their documents, sources and reports of faults have it. */

let server: RawModelServer;

beforeAll(async () => {
  server = await startRawModelServer();
});
afterEach(() => {
  server.asked.length = 0;
});
afterAll(() => server.stop());

const newModel = () => createOpenAiModel({ baseUrl: server.baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });

const user = (text: string): ModelMessage => ({ role: "user", parts: [{ type: "text", text }] });
const assistant = (text: string): ModelMessage => ({ role: "assistant", parts: [{ type: "text", text }] });
const TOOL = { name: "create_image", description: "Makes a picture.", parameters: { type: "object" as const } };

async function ask(more: Partial<AnswerRequest> = {}, model = newModel()) {
  const deltas: string[] = [];
  const request = { model: "llama3.3:70b", messages: [user("Hi")], ...more };
  return { ...(await model.streamAnswer(request, (delta) => deltas.push(delta))), deltas };
}

function always(answer: RawAnswer): void {
  server.answerWith(() => answer);
}

describe("an answer", () => {
  it("is the text alone where the model's thoughts come beside it, in fields or parts of their own", async () => {
    const thinking = [{ type: "thinking", thinking: [{ type: "text", text: "I should greet" }] }];
    always(
      asStream([
        chunkOf({ role: "assistant", content: null, reasoning_content: "Hmm" }),
        chunkOf({ content: "", reasoning: "Hmm", reasoning_details: [{ text: "Hmm" }] }),
        chunkOf({ content: thinking }),
        chunkOf({ content: [{ type: "text", text: "Good " }] }),
        chunkOf({ content: [{ type: "text", text: "day" }] }),
        chunkOf({ content: null }, "stop"),
      ]),
    );
    expect(await ask()).toMatchObject({ text: "Good day", deltas: ["Good ", "day"], finishReason: "stop" });
  });

  it("leaves out thoughts that are told as texts of another kind, and takes what refuses in words", async () => {
    const thinking = [
      { type: "reasoning", text: "I should greet" },
      { type: "output_text", text: "Good day" },
    ];
    always(asStream([chunkOf({ content: thinking }), chunkOf({}, "stop")]));
    expect(await ask()).toMatchObject({ text: "Good day" });
    always(asStream([chunkOf({ content: null, refusal: "I cannot help with that." }), chunkOf({}, "stop")]));
    expect(await ask()).toMatchObject({ text: "I cannot help with that." });
  });

  it("is the text alone where thoughts stand between marks before it, and all of it where they never end", async () => {
    const pieces = ["<thi", "nk>\nI should ", "greet.</th", "ink>\n\nGood ", "day"];
    always(asStream([...pieces.map((content) => chunkOf({ content })), chunkOf({}, "stop")]));
    expect(await ask()).toMatchObject({ text: "Good day", deltas: ["Good ", "day"], finishReason: "stop" });
    always(asStream([chunkOf({ content: "<think>I should greet" }), chunkOf({}, "length")]));
    expect(await ask()).toMatchObject({ text: "<think>I should greet", finishReason: "length" });
  });

  it("is counted by estimate where the server counts one side alone, with what it asks of tools", async () => {
    const counted = (usage: object, delta: object = { content: "Good day" }) =>
      always(asStream([chunkOf(delta), chunkOf({}, "stop"), { choices: [], usage }]));
    for (const usage of [{ prompt_tokens: 9 }, { completion_tokens: 9 }]) {
      counted(usage);
      const { isEstimated, tokensIn, tokensOut } = await ask();
      expect(isEstimated).toBe(true);
      expect(Math.min(tokensIn, tokensOut)).toBeGreaterThan(0);
    }
    const args = JSON.stringify({ prompt: "a hut in the snow ".repeat(100) });
    const calls = [{ index: 0, id: "c", function: { name: "create_image", arguments: args } }];
    counted({}, { tool_calls: calls });
    expect((await ask({ tools: [TOOL] })).tokensOut).toBeGreaterThan(300);
  });

  it.each([-5, 10.5, "9", 3_000_000_000, 1e300])(
    "is counted by estimate where the count is %s, which no model can have read: its turn could not be written down",
    async (count) => {
      const usage = { prompt_tokens: count, completion_tokens: 2, total_tokens: 2 };
      always(asStream([chunkOf({ content: "Good day" }), chunkOf({}, "stop"), { choices: [], usage }]));
      const { isEstimated, tokensIn } = await ask();
      expect(isEstimated).toBe(true);
      expect(tokensIn).toBeLessThan(1_000);
    },
  );

  it.each([
    ["with characters that no database takes", "llama\0\ud800", "llama\ufffd"],
    ["of any length", "m".repeat(5_000), "m".repeat(200)],
    ["that is no text", 7, "llama3.3:70b"],
    ["of nothing that can be written down", "\0", "llama3.3:70b"],
  ])("can be written down beside a model's name %s", async (_, model, name) => {
    always(asStream([chunkOf({ content: "Good day" }, null, { model }), chunkOf({}, "stop", { model })]));
    expect(await ask()).toMatchObject({ text: "Good day", model: name });
  });

  it("keeps the counts of both sides beside a total that no model can have had", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 3_000_000_000 };
    always(asStream([chunkOf({ content: "Good day" }), chunkOf({}, "stop"), { choices: [], usage }]));
    expect(await ask()).toMatchObject({ tokensIn: 9, tokensOut: 2, isEstimated: false });
  });

  it("is read between comments, CRLF, chunks without choices, and counts in every chunk", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 1 };
    const body = [
      ": OPENROUTER PROCESSING",
      "",
      `data: ${JSON.stringify({ choices: [], prompt_filter_results: [{ prompt_index: 0 }], model: "" })}`,
      "",
      `data:${JSON.stringify(chunkOf({ content: "Good day" }, null, { usage }))}`,
      "",
      `data: ${JSON.stringify(chunkOf({ content: "" }, "stop", { usage: { ...usage, completion_tokens: 2 } }))}`,
      "",
      "data: [DONE]",
      "",
      "",
    ].join("\r\n");
    always({ body });
    expect(await ask()).toMatchObject({ text: "Good day", model: "m", tokensIn: 9, tokensOut: 2, isEstimated: false });
  });

  it("is read between events that say nothing", async () => {
    const chunks = [chunkOf({ content: "Good " }), chunkOf({ content: "day" }), chunkOf({}, "stop")];
    const { body } = asStream(chunks, "");
    always({ body: `data:\n\n${body.replaceAll("\n\n", "\n\ndata: \n\ndata: null\n\n")}data: [DONE] \n\n` });
    expect(await ask()).toMatchObject({ text: "Good day", finishReason: "stop" });
  });

  it("broke off where an error comes in its midst, in whatever form", async () => {
    const error = { object: "error", message: "The engine died", type: "InternalServerError", code: 500 };
    always(asStream([chunkOf({ content: "Good d" }), error]));
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
    // Named by its event alone.
    always({
      body: `data: ${JSON.stringify(chunkOf({ content: "Good d" }, "stop"))}\n\nevent: error\ndata: {"message":"Overloaded"}\n\ndata: [DONE]\n\n`,
    });
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
  });

  it.each([
    ["OpenAI", { completion_tokens: 387, total_tokens: 399, completion_tokens_details: { reasoning_tokens: 386 } }],
    ["xAI", { completion_tokens: 1, total_tokens: 399, completion_tokens_details: { reasoning_tokens: 386 } }],
    ["Gemini", { completion_tokens: 1, total_tokens: 399 }],
    ["a server without a total", { completion_tokens: 387 }],
    ["a server whose total is none", { completion_tokens: 387, total_tokens: 0 }],
  ])("counts what the model thought, as %s tells it", async (_, counts) => {
    const usage = { choices: [], usage: { prompt_tokens: 12, ...counts } };
    always(asStream([chunkOf({ content: "Good day" }), chunkOf({}, "stop"), usage]));
    expect(await ask()).toMatchObject({ tokensIn: 12, tokensOut: 387, isEstimated: false });
  });

  it.each([
    ["Anthropic's names", { cache_read_input_tokens: 90, cache_creation_input_tokens: 10 }],
    ["OpenAI's name", { prompt_tokens_details: { cached_tokens: 100 } }],
  ])("counts as input what a gateway left out of it and calls cached by %s", async (_, cached) => {
    const counts = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 119, ...cached };
    always(asStream([chunkOf({ content: "Good day" }), chunkOf({}, "stop"), { choices: [], usage: counts }]));
    expect(await ask()).toMatchObject({ tokensIn: 112, tokensOut: 7, isEstimated: false });
  });

  it("is read under whatever type it is sent", async () => {
    always({ ...said("Good day"), headers: { "Content-Type": "text/html; charset=utf-8" } });
    expect(await ask()).toMatchObject({ text: "Good day", tokensIn: 5, tokensOut: 2 });
  });

  it("is complete when the stream says that it is done, also without a reason", async () => {
    always(asStream([chunkOf({ content: "Good day" }), chunkOf({ content: "" }, "")]));
    expect(await ask()).toMatchObject({ text: "Good day", finishReason: "stop" });
    always(asStream([chunkOf({ content: "Good d" })], ""));
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
    always(asStream([]));
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
  });

  it.each(["error", "abort", "insufficient_system_resource", "network_error"])(
    "broke off where it ends with %s",
    async (reason) => {
      always(asStream([chunkOf({ content: "Good d" }), chunkOf({}, reason)]));
      await expect(ask()).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
    },
  );

  it.each([
    ["model_length", "length"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["content_filter: RECITATION", "content_filter"],
    ["refusal", "content_filter"],
    ["sensitive", "content_filter"],
    ["SAFETY", "content_filter"],
    ["eos", "eos"],
  ])("that ends with %s ends with %s", async (reason, finishReason) => {
    always(asStream([chunkOf({ content: "Good day" }, reason)]));
    expect(await ask()).toMatchObject({ finishReason });
  });
});

describe("a request", () => {
  const EXTRA = [
    {
      type: "extra_forbidden",
      loc: ["body", "stream_options", "include_usage"],
      msg: "Extra inputs are not permitted",
      input: true,
    },
  ];
  const REFUSED: [server: string, field: string, answer: RawAnswer][] = [
    ["Mistral", "stream_options", refusal(422, { object: "error", message: { detail: EXTRA }, code: null })],
    ["Groq", "stream_options", refusal(400, { error: { message: "property 'stream_options' is unsupported" } })],
    [
      "an older vLLM",
      "tools",
      refusal(400, {
        object: "error",
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        code: 400,
      }),
    ],
    [
      "llama.cpp",
      "tools",
      refusal(500, { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } }),
    ],
    [
      "an older llama.cpp",
      "tools",
      refusal(500, { error: { code: 500, message: "Unsupported param: tools", type: "server_error" } }),
    ],
    [
      "Ollama",
      "tools",
      refusal(400, { error: { message: "registry.ollama.ai/library/gemma:latest does not support tools" } }),
    ],
    [
      "OpenRouter",
      "tools",
      refusal(404, { error: { message: "No endpoints found that support tool use.", code: 404 } }),
    ],
  ];

  it.each(REFUSED)(
    "that %s refuses for its %s is asked anew without, and further ones at once",
    async (_, field, answer) => {
      server.answerWith((request) => (request[field] === undefined ? said("Good day") : answer));
      const model = newModel();
      expect(await ask({ tools: [TOOL] }, model)).toMatchObject({ text: "Good day" });
      await ask({ tools: [TOOL] }, model);
      expect(server.asked.map((request) => request[field] !== undefined)).toEqual([true, false, false]);
    },
  );

  const TOO_LONG =
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 4238 tokens (4143 in the messages, 95 in the functions). Please reduce the length of the messages or functions.";
  const NO_CALL = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'";

  it.each([
    ["its length", { message: TOO_LONG, param: "messages", code: "context_length_exceeded" }],
    ["what was said", { message: "Invalid 'messages[3].tool_calls[0].id': string too long.", param: "messages[3]" }],
    ["what was said", { message: NO_CALL, param: null }],
  ])("that is refused for %s keeps its tools, and so do those after it: %j", async (_, error) => {
    const model = newModel();
    always(refusal(400, { error: { type: "invalid_request_error", ...error } }));
    await expect(ask({ tools: [TOOL] }, model)).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    expect(server.asked).toHaveLength(1);
    always(said("Good day"));
    await ask({ tools: [TOOL] }, model);
    expect(server.asked.at(-1)?.tools).toHaveLength(1);
  });

  it("that is refused for thoughts which it misses keeps its tools, and so do those after it", async () => {
    const model = newModel();
    const message = "Function call is missing a thought_signature in functionCall parts.";
    always(refusal(400, { error: { message, code: 400 } }));
    await expect(ask({ tools: [TOOL] }, model)).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    expect(server.asked).toHaveLength(1);
    always(said("Good day"));
    await ask({ tools: [TOOL] }, model);
    expect(server.asked.at(-1)?.tools).toHaveLength(1);
  });

  it("for text alone says that no tool may be called, though it names them", async () => {
    always(said("Good day"));
    await ask({ tools: [TOOL], isTextOnly: true });
    expect(server.asked.at(-1)).toMatchObject({ tools: [{ type: "function" }], tool_choice: "none" });
  });

  it.each([
    {
      message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      type: "invalid_request_error",
      code: "tool_use_failed",
      failed_generation: "<function=create_image>{</function>",
    },
    {
      message: "tool call validation failed: parameters for tool create_image did not match schema",
      param: "",
      code: "tool_use_failed",
    },
    { message: 'GroqException - {"error":{"message":"Failed to call a function. Please adjust your prompt."}}' },
    { message: "Tool choice is none, but model called a tool", code: 400 },
  ])(
    "whose model wrote a bad call of a tool is answered without, and takes none from those after it: %j",
    async (error) => {
      const model = newModel();
      server.answerWith(({ tools }) => (tools ? refusal(400, { error }) : said("Good day")));
      expect(await ask({ tools: [TOOL] }, model)).toMatchObject({ text: "Good day" });
      always(said("Good day"));
      await ask({ tools: [TOOL] }, model);
      expect(server.asked.map(({ tools }) => tools !== undefined)).toEqual([true, false, true]);
    },
  );

  it("that is refused without its tools as well takes none from those after it", async () => {
    const model = newModel();
    always(refusal(400, { error: { message: "The function of this request is not clear." } }));
    await expect(ask({ tools: [TOOL] }, model)).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    expect(server.asked.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
    always(said("Good day"));
    await ask({ tools: [TOOL] }, model);
    expect(server.asked.at(-1)?.tools).toHaveLength(1);
  });

  it("names the longest answer as the model wants it, whatever it is called", async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    server.answerWith((request) =>
      request.max_tokens === undefined
        ? said("Good day")
        : refusal(400, { error: { message, param: "max_tokens", code: "unsupported_parameter" } }),
    );
    expect(await ask({ model: "gpt-5.6-luna", maxOutputTokens: 7 })).toMatchObject({ text: "Good day" });
    expect(server.asked.map((request) => request.max_completion_tokens)).toEqual([undefined, 7]);

    const loc = ["body", "max_completion_tokens"];
    server.answerWith((request) =>
      request.max_completion_tokens === undefined
        ? said("Good day")
        : refusal(422, { detail: [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted" }] }),
    );
    expect(await ask({ model: "openai/gpt-4.1", maxOutputTokens: 7 })).toMatchObject({ text: "Good day" });
    expect(server.asked.at(-1)).toMatchObject({ max_tokens: 7 });
  });

  it.each([
    ["/v1", "/v1/chat/completions"],
    ["/v1/", "/v1/chat/completions"],
    ["/v1beta/openai", "/v1beta/openai/chat/completions"],
    ["/openai/v1?api-version=preview", "/openai/v1/chat/completions?api-version=preview"],
  ])("goes to the address %s as it is set", async (address, path) => {
    always(said("Good day"));
    const baseUrl = server.baseUrl.replace(/\/v1$/, address);
    await ask({}, createOpenAiModel({ baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 }));
    expect(server.asked[0]?.path).toBe(path);
  });

  it("is not asked anew for a limit that is too high", async () => {
    always(refusal(400, { error: { message: "max_tokens is too large: 9000.", param: "max_tokens" } }));
    await expect(ask({ maxOutputTokens: 9_000 })).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    expect(server.asked).toHaveLength(1);
  });

  it("puts two questions into one where a model wants question and answer in turn", async () => {
    const messages = [user("First"), user("Second")];
    server.answerWith((request) =>
      request.messages.length === 1
        ? said("Good day")
        : refusal(400, {
            object: "error",
            message: "Conversation roles must alternate user/assistant/user/assistant/...",
          }),
    );
    expect(await ask({ messages })).toMatchObject({ text: "Good day" });
    expect(server.asked.at(-1)?.messages).toEqual([{ role: "user", content: "First\n\nSecond" }]);
  });

  it("leaves out an answer without words, which servers refuse", async () => {
    always(said("Good day"));
    await ask({ messages: [user("First"), assistant(" "), user("Second")] });
    expect(server.asked[0]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  });
});
