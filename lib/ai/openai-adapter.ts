import OpenAI from "openai";
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { Stream } from "openai/streaming";
import { Agent, fetch } from "undici";
import { estimateMessageTokens } from "@/lib/ai/estimate-messages";
import { explainModelError, modelError } from "@/lib/ai/explain-model-error";
import type { AnswerRequest, ModelAnswer, ModelPort } from "@/lib/ai/model-message";
import { toCompletionRequest } from "@/lib/ai/to-completion-request";
import { transcribeSound } from "@/lib/ai/transcribe-sound";
import { type StreamWatch, watchStream } from "@/lib/ai/watch-stream";
import { estimateTokens } from "@/lib/domain/token-estimate";

export interface OpenAiSettings {
  /** Absent for a compatible server that wants none. */
  apiKey?: string;
  /** Up to and including `/v1`; the provider's own address when absent. */
  baseUrl?: string;
  idleTimeoutSeconds: number;
  timeoutSeconds: number;
}

/**
 * A model behind OpenAI's HTTP protocol (chat completions, streamed; transcriptions): the provider itself or any
 * compatible server.
 * Retries nothing and reports nothing to anybody.
 */
export function createOpenAiModel(settings: OpenAiSettings): ModelPort {
  const client = createClient(settings);
  const limits = { idleMs: settings.idleTimeoutSeconds * 1000, totalMs: settings.timeoutSeconds * 1000 };
  return {
    async streamAnswer(request, onDelta) {
      const watch = watchStream(limits, request.signal);
      const answer = newAnswer(request);
      const guarded = guardCallback(onDelta);
      try {
        request.signal?.throwIfAborted();
        await readAnswer(client, request, watch, answer, guarded.call);
        // The reader ends quietly when it is stopped. An answer that is complete counts, though its connection stays open.
        if (watch.cause() === "outside") throw new Error("stopped from outside");
        if (answer.finishReason === "") throw new Error("ended without a finish");
        return countTokens(answer, request);
      } catch (error) {
        if (guarded.hasFailed()) throw error;
        if (watch.cause() === "outside") throw request.signal?.reason;
        if (watch.cause() !== undefined) throw modelError("MODEL_TIMEOUT", { cause: error, isRetryable: true });
        throw explainModelError(error);
      } finally {
        watch.dispose();
      }
    },
    transcribe: (request) => transcribeSound(client, request, limits.totalMs),
  };
}

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;
/** How long the end of a finished response may take, so that its connection can serve again. */
const DRAIN_MS = 1_000;

function createClient(settings: OpenAiSettings): OpenAI {
  // The watch holds the limits of time; the transport's own would cut a slow model off at five minutes.
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    allowH2: false,
  });
  return new OpenAI({
    apiKey: settings.apiKey ?? "none",
    baseURL: settings.baseUrl ?? "https://api.openai.com/v1",
    maxRetries: 0,
    timeout: settings.timeoutSeconds * 1000 + CONNECT_TIMEOUT_MS,
    // The client would read these from the environment, which only lib/env.ts may do.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off",
    defaultHeaders: WITHOUT_MACHINE_DETAILS,
    fetch: (url, init) => fetch(url as string, { ...(init as object), dispatcher }) as unknown as Promise<Response>,
  });
}

/** The client describes the machine it runs on in these; the provider need not know. */
const WITHOUT_MACHINE_DETAILS = Object.fromEntries(
  ["Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"].map((name) => [
    `X-Stainless-${name}`,
    null,
  ]),
);

type OpenAnswer = Omit<ModelAnswer, "isEstimated" | "tokensIn" | "tokensOut"> & {
  tokensIn?: number;
  tokensOut?: number;
};

function newAnswer(request: AnswerRequest): OpenAnswer {
  return { text: "", model: request.model, finishReason: "" };
}

async function readAnswer(
  client: OpenAI,
  request: AnswerRequest,
  watch: StreamWatch,
  answer: OpenAnswer,
  onDelta: (text: string) => void,
): Promise<void> {
  const body: ChatCompletionCreateParamsStreaming = toCompletionRequest(request);
  const headers = request.idempotencyKey === undefined ? {} : { "Idempotency-Key": request.idempotencyKey };
  const response = await client.chat.completions.create(body, { signal: watch.signal, headers }).asResponse();
  watch.touch();
  const watched = watchBody(response, watch, () => answer.finishReason !== "");
  const pieces: string[] = [];
  for await (const chunk of Stream.fromSSEResponse<ChatCompletionChunk>(watched, new AbortController(), client)) {
    // Also a sign of life: a burst may take longer to work off than it took to arrive.
    watch.touch();
    const delta = takeChunk(chunk, answer);
    if (delta === "") continue;
    pieces.push(delta);
    onDelta(delta);
  }
  answer.text = pieces.join("");
}

/** The response with every arrival of bytes noted, comments that keep the line open too. */
function watchBody(response: Response, watch: StreamWatch, isFinished: () => boolean): Response {
  const reader = response.body?.getReader();
  if (!reader) throw modelError("MODEL_UNAVAILABLE", { isRetryable: true });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      watch.touch();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      // The reader stops at [DONE], a few bytes early. Letting go there would close the connection.
      if (isFinished()) void drain(reader);
      else await reader.cancel();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete; how its connection ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

/** Takes what a chunk says into the answer; returns its text. */
function takeChunk(chunk: ChatCompletionChunk, answer: OpenAnswer): string {
  if (chunk.model) answer.model = chunk.model;
  if (chunk.usage) {
    answer.tokensIn = toCount(chunk.usage.prompt_tokens);
    answer.tokensOut = toCount(chunk.usage.completion_tokens);
  }
  const choice = chunk.choices?.[0];
  if (choice?.finish_reason) answer.finishReason = choice.finish_reason;
  return choice?.delta?.content ?? choice?.delta?.refusal ?? "";
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function countTokens(answer: OpenAnswer, request: AnswerRequest): ModelAnswer {
  const { tokensIn, tokensOut } = answer;
  if (tokensIn !== undefined && tokensOut !== undefined) return { ...answer, tokensIn, tokensOut, isEstimated: false };
  return {
    ...answer,
    tokensIn: estimateMessageTokens(request.messages),
    tokensOut: estimateTokens(answer.text),
    isEstimated: true,
  };
}

/** The caller's own errors must reach the caller as they are, not as the model's. */
function guardCallback(onDelta: (text: string) => void): { call: (text: string) => void; hasFailed: () => boolean } {
  let hasFailed = false;
  return {
    call(text) {
      try {
        onDelta(text);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    hasFailed: () => hasFailed,
  };
}
