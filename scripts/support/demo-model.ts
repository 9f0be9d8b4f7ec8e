import { type ChatCompletionRequest, type JournalEntry, LLMock } from "@copilotkit/aimock";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { demoAnswer } from "@/scripts/support/demo-answer";
import { demoJson } from "@/scripts/support/demo-json";
import { takeLargeRequests } from "@/scripts/support/demo-large-requests";
import { demoPicture, demoSound, demoToolCall } from "@/scripts/support/demo-outputs";

export interface DemoModelOptions {
  /** Any free one when absent. */
  port?: number;
  /** Wait before the first words, in milliseconds. */
  latencyMs?: number;
  tokensPerSecond?: number;
}

export interface DemoModel {
  /** Up to and including `/v1`: what `OPENAI_BASE_URL` takes. */
  baseUrl: string;
  stop(): Promise<void>;
  /** The newest requests, oldest first. */
  requests(): JournalEntry[];
}

/**
 * The stand-in for a model while none is configured: speaks OpenAI's HTTP protocol on loopback, says plainly that its
 * answers are demo answers, and never calls out.
 */
export async function startDemoModel(options: DemoModelOptions = {}): Promise<DemoModel> {
  const mock = new LLMock({
    port: options.port ?? 0,
    host: "127.0.0.1",
    logLevel: "silent",
    journalMaxEntries: JOURNAL_ENTRIES,
  });
  mock.mount("/v1", takeLargeRequests());
  mock.addFixture({
    match: { endpoint: "chat" },
    response: (request) => respond(request),
    chunkSize: CHUNK_CHARACTERS,
    streamingProfile: {
      ttft: options.latencyMs ?? DEFAULT_LATENCY_MS,
      tps: options.tokensPerSecond ?? DEFAULT_TOKENS_PER_SECOND,
      jitter: PACE_JITTER,
    },
  });
  mock.addFixture({
    match: { endpoint: "transcription" },
    response: { transcription: { text: DEMO_TRANSCRIPT } },
  });
  mock.addFixture({
    match: { endpoint: "image" },
    response: async () => ({ image: { b64Json: (await demoPicture()).toString("base64") } }),
  });
  mock.addFixture({
    match: { endpoint: "speech" },
    response: { audio: demoSound().toString("base64"), format: "wav" },
  });
  await mock.start();
  return {
    baseUrl: `http://127.0.0.1:${mock.port}/v1`,
    stop: () => mock.stop(),
    requests: () => mock.getRequests(),
  };
}

/** Nobody can take it for what was said. */
const DEMO_TRANSCRIPT =
  "This is a demo transcript. No AI model is connected, so nobody listened to the sound; it only shows that the file came through.";

/** Each holds a whole request, pictures and all. */
const JOURNAL_ENTRIES = 20;
const DEFAULT_LATENCY_MS = 250;
const DEFAULT_TOKENS_PER_SECOND = 60;
/** About a token. */
const CHUNK_CHARACTERS = 5;
const PACE_JITTER = 0.3;

function respond(request: ChatCompletionRequest) {
  const turns = request.messages.map((message) => {
    const parts =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : (message.content ?? []);
    const text = parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n\n");
    return { role: message.role, text, imageCount: parts.filter((part) => part.type === "image_url").length };
  });
  const tokensIn = turns.reduce((sum, turn) => sum + estimateTokens(turn.text) + turn.imageCount * TOKENS_PER_IMAGE, 0);
  const last = request.messages.at(-1)?.role === "user" ? (turns.at(-1)?.text ?? "") : "";
  const call = demoToolCall(request, last);
  if (call) {
    return { toolCalls: [call], usage: { prompt_tokens: tokensIn, completion_tokens: estimateTokens(call.arguments) } };
  }
  const schema = schemaOf(request);
  const content = schema ? JSON.stringify(demoJson(schema)) : demoAnswer(turns);
  return { content, usage: { prompt_tokens: tokensIn, completion_tokens: estimateTokens(content) } };
}

/** What the answer has to fit. */
function schemaOf({ response_format: format }: ChatCompletionRequest): OutputSchema | undefined {
  return (format as { json_schema?: { schema?: OutputSchema } } | undefined)?.json_schema?.schema;
}

const TOKENS_PER_IMAGE = 1000;
