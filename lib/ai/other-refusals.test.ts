import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  asStream,
  chunkOf,
  type RawAnswer,
  type RawModelServer,
  refusal,
  startRawModelServer,
} from "@/e2e/support/raw-model-server";
import { toErrorResponse } from "@/lib/ai/error-body";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";
import { TurnError } from "@/lib/domain/turn-errors";

/** How servers that are not OpenAI's own refuse, as their documents, sources and reports of faults have it. */

let server: RawModelServer;

beforeAll(async () => {
  server = await startRawModelServer();
});
afterAll(() => server.stop());

async function refuse(answer: RawAnswer): Promise<TurnError> {
  server.answerWith(() => answer);
  const model = createOpenAiModel({ baseUrl: server.baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }];
  const error = await model.streamAnswer({ model: "m", messages }, () => {}).catch((reason: unknown) => reason);
  if (!(error instanceof TurnError)) throw new Error("not refused");
  return error;
}

const inStream = (error: object) => asStream([chunkOf({ content: "Good d" }), { choices: [], error }], "");
const page = (status: number, body: string): RawAnswer => ({ status, headers: { "Content-Type": "text/html" }, body });

const KEY = /credentials/;
const MODEL = /does not know this model/;
const ADDRESS = /the address that is set/;
const LONG = /longer than the AI model can read/;
const PICTURES = /model takes none/;

type Case = [server: string, answer: RawAnswer, code: string, isRetryable: boolean, message: RegExp];

const CASES: Case[] = [
  [
    "Gemini",
    refusal(400, [
      { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
    ]),
    "MODEL_NOT_CONFIGURED",
    false,
    KEY,
  ],
  [
    "Azure",
    refusal(404, {
      error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
    }),
    "MODEL_NOT_CONFIGURED",
    false,
    MODEL,
  ],
  [
    "Mistral",
    refusal(400, { object: "error", message: "Invalid model: x", type: "invalid_model", code: "1500" }),
    "MODEL_NOT_CONFIGURED",
    false,
    MODEL,
  ],
  [
    "OpenRouter",
    refusal(400, { error: { message: "x is not a valid model ID", code: 400 } }),
    "MODEL_NOT_CONFIGURED",
    false,
    MODEL,
  ],
  [
    "DeepSeek",
    refusal(400, { error: { message: "Model Not Exist", type: "invalid_request_error" } }),
    "MODEL_NOT_CONFIGURED",
    false,
    MODEL,
  ],
  [
    "Gemini",
    refusal(404, [{ error: { code: 404, message: "models/x is not found for API version v1main" } }]),
    "MODEL_NOT_CONFIGURED",
    false,
    MODEL,
  ],
  [
    "LM Studio without /v1",
    refusal(200, { error: "Unexpected endpoint or method. (POST /chat/completions)" }),
    "MODEL_NOT_CONFIGURED",
    false,
    ADDRESS,
  ],
  [
    "Ollama without /v1",
    { status: 404, headers: { "Content-Type": "text/plain" }, body: "404 page not found" },
    "MODEL_NOT_CONFIGURED",
    false,
    ADDRESS,
  ],
  [
    "OpenAI, of more at once than the account's limit of a minute,",
    refusal(429, {
      error: {
        message:
          "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601. The input or output tokens must be reduced in order to run successfully.",
        type: "tokens",
        param: null,
        code: "rate_limit_exceeded",
      },
    }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  ["FastAPI without /v1", refusal(404, { detail: "Not Found" }), "MODEL_NOT_CONFIGURED", false, ADDRESS],
  ["a web page", page(200, "<!doctype html><title>Open WebUI</title>"), "MODEL_NOT_CONFIGURED", false, ADDRESS],
  [
    "vLLM",
    refusal(400, {
      object: "error",
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      type: "BadRequestError",
      code: 400,
    }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "llama.cpp",
    refusal(400, {
      error: {
        code: 400,
        message: "the request exceeds the available context size (4096 tokens), try increasing it",
        type: "exceed_context_size_error",
      },
    }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "an older llama.cpp",
    refusal(500, {
      error: {
        code: 500,
        message: "the request exceeds the available context size. try increasing the context size",
        type: "server_error",
      },
    }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "Mistral",
    refusal(400, {
      object: "error",
      message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "Gemini",
    refusal(400, [
      {
        error: {
          code: 400,
          message: "The input token count (1196265) exceeds the maximum number of tokens allowed 1048576.",
        },
      },
    ]),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "Anthropic",
    refusal(400, { error: { code: null, message: "prompt is too long: 208310 tokens > 200000 maximum" } }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "Groq",
    refusal(413, {
      error: { message: "Request too large for model `x` on tokens per minute (TPM)", code: "rate_limit_exceeded" },
    }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "a proxy",
    page(413, "<html><head><title>413 Request Entity Too Large</title></head></html>"),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  ["LM Studio, in its stream", inStream({ message: "Context size has been exceeded." }), "MODEL_REJECTED", false, LONG],
  [
    "vLLM, in its stream",
    inStream({ message: "This model's maximum context length is 4096 tokens.", code: 400 }),
    "MODEL_REJECTED",
    false,
    LONG,
  ],
  [
    "OpenRouter, in its stream",
    inStream({ code: 429, message: "Provider returned error" }),
    "MODEL_RATE_LIMITED",
    true,
    /too many requests/,
  ],
  [
    "OpenRouter, in its stream",
    inStream({ code: 502, message: "Provider disconnected" }),
    "MODEL_UNAVAILABLE",
    true,
    /Try again later/,
  ],
  [
    "OpenRouter, in its stream",
    inStream({ code: 402, message: "Insufficient credits" }),
    "MODEL_UNAVAILABLE",
    false,
    /./,
  ],
  [
    "LiteLLM, in its stream",
    inStream({ code: "401", message: "Authentication Error" }),
    "MODEL_NOT_CONFIGURED",
    false,
    KEY,
  ],
  [
    "OpenRouter's moderation",
    refusal(403, { error: { code: 403, message: "Your chosen model requires moderation and your input was flagged" } }),
    "MODEL_REJECTED",
    false,
    /refused this request/,
  ],
  [
    "Anthropic",
    refusal(400, { error: { message: "Your credit balance is too low to access the API." } }),
    "MODEL_UNAVAILABLE",
    false,
    /./,
  ],
  [
    "Ollama whose runner is slow",
    refusal(500, { error: { message: "context deadline exceeded", type: "api_error" } }),
    "MODEL_UNAVAILABLE",
    true,
    /Try again later/,
  ],
  [
    "llama.cpp while it loads",
    refusal(503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }),
    "MODEL_UNAVAILABLE",
    true,
    /Try again later/,
  ],
  [
    "llama.cpp",
    refusal(500, {
      error: {
        code: 500,
        message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        type: "server_error",
      },
    }),
    "UNSUPPORTED_FILE",
    false,
    PICTURES,
  ],
  [
    "vLLM",
    refusal(400, { error: { message: "m is not a multimodal model", type: "BadRequestError", code: 400 } }),
    "UNSUPPORTED_FILE",
    false,
    PICTURES,
  ],
  [
    "OpenRouter",
    refusal(404, { error: { message: "No endpoints found that support image input", code: 404 } }),
    "UNSUPPORTED_FILE",
    false,
    PICTURES,
  ],
  [
    "DeepSeek",
    refusal(400, {
      error: {
        message:
          "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`",
      },
    }),
    "UNSUPPORTED_FILE",
    false,
    PICTURES,
  ],
];

describe("a refusal", () => {
  it.each(CASES)("of %s is taken for what it is: %j", async (_, answer, code, isRetryable, message) => {
    expect(await refuse(answer)).toMatchObject({ code, isRetryable, message: expect.stringMatching(message) });
  });

  it("says how long to wait, also in Google's way", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "36.5s" }];
    const body = [{ error: { code: 429, message: "You exceeded your current quota", details } }];
    expect(await refuse(refusal(429, body))).toMatchObject({ code: "MODEL_RATE_LIMITED", retryAfterSeconds: 36.5 });
    expect((await refuse(refusal(429, body, { "Retry-After": "4" }))).retryAfterSeconds).toBe(4);
  });

  const OF_SOUND: [answer: RawAnswer, code: string, message: RegExp][] = [
    [
      refusal(200, { error: "Unexpected endpoint or method. (POST /v1/audio/transcriptions)" }),
      "UNSUPPORTED_FILE",
      /does not transcribe/,
    ],
    [refusal(404, { detail: "Not Found" }), "UNSUPPORTED_FILE", /does not transcribe/],
    [refusal(413, { error: { message: "Maximum content size limit exceeded" } }), "UNSUPPORTED_FILE", /in parts/],
    [
      refusal(400, { error: { message: "The model does not support Transcriptions API" } }),
      "UNSUPPORTED_FILE",
      /does not transcribe/,
    ],
    [
      refusal(400, { object: "error", message: "Invalid model: whisper-1", code: "1500" }),
      "MODEL_NOT_CONFIGURED",
      /model set for transcription/,
    ],
  ];

  it.each(OF_SOUND)("of sound is no word about the file: %j", async (answer, code, message) => {
    server.answerWith(() => answer);
    const model = createOpenAiModel({ baseUrl: server.baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
    const heard = model.transcribe({ model: "whisper-1", bytes: new Uint8Array(9), format: "mp3" });
    await expect(heard).rejects.toMatchObject({ code, isRetryable: false, message: expect.stringMatching(message) });
  });

  it("to hear sound that is stopped from outside is the signal's own reason", async () => {
    const controller = new AbortController();
    const reason = new Error("the turn was canceled");
    server.answerWith(() => {
      controller.abort(reason);
      return refusal(200, { text: "Good day" });
    });
    const model = createOpenAiModel({ baseUrl: server.baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
    const { signal } = controller;
    const heard = model.transcribe({ model: "whisper-1", bytes: new Uint8Array(9), format: "mp3", signal });
    await expect(heard).rejects.toBe(reason);
  });

  const WORDS: [answer: RawAnswer, words: string][] = [
    [refusal(400, { detail: "Model is paused" }), "400 Model is paused"],
    [
      refusal(422, { detail: [{ loc: ["body", "n"], msg: "Field required", input: { messages: "MY TEXT" } }] }),
      "422 body.n: Field required",
    ],
    [refusal(400, [{ error: { code: 400, message: "Bad field" } }]), "400 Bad field"],
    [refusal(400, { error: "no such field" }), "400 no such field"],
    [
      refusal(429, {
        error: { message: "Provider returned error", metadata: { raw: '{"error":{"message":"upstream is busy"}}' } },
      }),
      "429 Provider returned error: upstream is busy",
    ],
    [page(502, "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"), "502 502 Bad Gateway"],
    [page(500, "<h1>Oops</h1>\n<p>It broke</p>"), "500 Oops It broke"],
    [{ status: 500, body: "" }, "500 status code (no body)"],
  ];

  it.each(WORDS)("%j keeps the server's words for the log", async (answer, words) => {
    expect((await refuse(answer)).cause).toMatchObject({ message: words });
  });

  it("is read no further than it can be of use", async () => {
    const { cause } = await refuse({ status: 400, body: "x".repeat(5_000_000) });
    expect(String(cause).length).toBeLessThan(3_000);
  });

  it("whose words never end is read to a bound", async () => {
    let pieces = 0;
    async function* withoutEnd() {
      for (; pieces < 1_000; pieces++) yield Buffer.alloc(16 * 1024, "x");
    }
    expect((await toErrorResponse(400, new Headers(), withoutEnd())).status).toBe(400);
    expect(pieces).toBeLessThan(10);
  });
});
