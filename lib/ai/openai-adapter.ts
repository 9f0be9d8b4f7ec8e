import type OpenAI from "openai";
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { endlessAnswer, MAX_ANSWER_CHARACTERS } from "@/lib/ai/endless-answer";
import { estimateMessageTokens } from "@/lib/ai/estimate-messages";
import { explainModelError, modelError } from "@/lib/ai/explain-model-error";
import { findRefused, isOfOneAnswer, type Refusable } from "@/lib/ai/find-refused";
import { leaveOutThoughts } from "@/lib/ai/inline-thoughts";
import type { AnswerRequest, ModelAnswer, ModelPort } from "@/lib/ai/model-message";
import { createClients, type OpenAiSettings } from "@/lib/ai/openai-clients";
import { modelNameOf, readFinish, textOf } from "@/lib/ai/read-choice";
import { readChunks } from "@/lib/ai/read-chunks";
import { readUsage } from "@/lib/ai/read-usage";
import { toCompletionRequest } from "@/lib/ai/to-completion-request";
import { collectThoughts } from "@/lib/ai/tools/collect-thoughts";
import { collectToolCalls, type ToolCallCollector } from "@/lib/ai/tools/collect-tool-calls";
import { makeImage } from "@/lib/ai/tools/make-image";
import { makeSpeech } from "@/lib/ai/tools/make-speech";
import { askForVideo, beginVideo, fetchVideo } from "@/lib/ai/tools/make-video";
import { transcribeSound } from "@/lib/ai/transcribe-sound";
import { type StreamWatch, watchStream } from "@/lib/ai/watch-stream";
import { estimateTokens } from "@/lib/domain/token-estimate";

/**
 * A model behind OpenAI's HTTP protocol (chat completions, streamed; transcriptions; images, speech, videos): the
 * provider itself or any compatible server.
 * Retries nothing and reports nothing to anybody; a server that does not know an optional part of the request is asked again
 * without it.
 */
export function createOpenAiModel(settings: OpenAiSettings): ModelPort {
  const { client, streamClient } = createClients(settings);
  const limits = { idleMs: settings.idleTimeoutSeconds * 1000, totalMs: settings.timeoutSeconds * 1000 };
  /** By model, for as long as the process runs. */
  const refused = new Map<string, Set<Refusable>>();
  return {
    async streamAnswer(request, onDelta) {
      const watch = watchStream(limits, request.signal);
      const answer = newAnswer(request);
      const guarded = guardCallback(onDelta);
      try {
        request.signal?.throwIfAborted();
        await readAccepted(streamClient, request, refused, { watch, answer, onDelta: guarded.call });
        // The reader ends quietly when it is stopped. An answer that is complete counts, though its connection stays open.
        if (watch.cause() === "outside") throw new Error("stopped from outside");
        if (answer.finishReason === "") throw new Error("ended without a finish");
        return countTokens(answer, request);
      } catch (error) {
        if (guarded.hasFailed()) throw error;
        if (watch.cause() === "outside") throw request.signal?.reason;
        if (watch.late()) throw modelError("MODEL_TIMEOUT", { cause: watch.late(), isRetryable: true });
        throw explainModelError(error);
      } finally {
        watch.dispose();
      }
    },
    transcribe: (request) => transcribeSound(client, request, limits.totalMs),
    createImage: (order, options) => makeImage(client, order, options, limits),
    createSpeech: (order, options) => makeSpeech(client, order, options, limits),
    startVideo: (order, options) => beginVideo(client, order, options, limits),
    readVideo: (jobId, options) => askForVideo(client, jobId, options, limits),
    openVideo: (jobId, options) => fetchVideo(client, jobId, options, limits),
  };
}

type OpenAnswer = Omit<ModelAnswer, "isEstimated" | "tokensIn" | "tokensOut"> & {
  tokensIn?: number;
  tokensOut?: number;
};

function newAnswer(request: AnswerRequest): OpenAnswer {
  return { text: "", model: request.model, finishReason: "" };
}

/** Where an answer goes, and what ends it. */
interface Reading {
  watch: StreamWatch;
  answer: OpenAnswer;
  onDelta: (text: string) => void;
}

/**
 * Asks anew without what the model's server refuses of a request. Once it has an answer, that is noted: later requests leave it
 * out at once. Where it has none either, something else was wrong; and what was refused of one answer says nothing of the next.
 */
async function readAccepted(
  client: OpenAI,
  request: AnswerRequest,
  refused: Map<string, Set<Refusable>>,
  reading: Reading,
): Promise<void> {
  const leftOut = new Set<Refusable>();
  const noted = new Set<Refusable>();
  for (;;) {
    const known = refused.get(request.model) ?? [];
    const body = toCompletionRequest(request, new Set([...known, ...leftOut]));
    try {
      await readAnswer(client, request, body, reading);
      if (noted.size > 0) refused.set(request.model, new Set([...(refused.get(request.model) ?? []), ...noted]));
      return;
    } catch (error) {
      const what = findRefused(error, body);
      if (what === undefined) throw error;
      leftOut.add(what);
      if (!isOfOneAnswer(error)) noted.add(what);
    }
  }
}

async function readAnswer(
  client: OpenAI,
  { idempotencyKey }: AnswerRequest,
  body: ChatCompletionCreateParamsStreaming,
  { watch, answer, onDelta }: Reading,
): Promise<void> {
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const response = await client.chat.completions.create(body, { signal: watch.signal, headers }).asResponse();
  watch.touch();
  const pieces: string[] = [];
  let characters = 0;
  const toolCalls = collectToolCalls();
  const thoughts = collectThoughts();
  const filter = leaveOutThoughts();
  const hand = (text: string) => {
    if (text === "") return;
    pieces.push(text);
    onDelta(text);
  };
  const end = await readChunks(response, watch, (chunk) => {
    const delta = takeChunk(chunk, answer, toolCalls);
    if (body.tools) thoughts.take(chunk.choices?.[0]?.delta);
    characters += delta.length;
    if (characters > MAX_ANSWER_CHARACTERS) throw endlessAnswer();
    hand(filter.take(delta));
  });
  hand(filter.end());
  answer.text = pieces.join("");
  const calls = toolCalls.calls();
  if (calls.length > 0) Object.assign(answer, { toolCalls: calls, thoughts: thoughts.thoughts() });
  // Not every server gives a reason for the end of an answer that it says is done.
  if (answer.finishReason === "" && end === "done" && (answer.text !== "" || calls.length > 0)) {
    answer.finishReason = "stop";
  }
}

/** Takes what a chunk says into the answer; returns its text. */
function takeChunk(chunk: ChatCompletionChunk, answer: OpenAnswer, toolCalls: ToolCallCollector): string {
  answer.model = modelNameOf(chunk.model) || answer.model;
  if (chunk.usage) Object.assign(answer, readUsage(chunk.usage));
  const choice = chunk.choices?.[0];
  if (choice?.finish_reason) answer.finishReason = readFinish(choice.finish_reason);
  toolCalls.take(choice?.delta?.tool_calls);
  return textOf(choice?.delta?.content) || textOf(choice?.delta?.refusal);
}

function countTokens(answer: OpenAnswer, request: AnswerRequest): ModelAnswer {
  const { tokensIn, tokensOut } = answer;
  if (tokensIn !== undefined && tokensOut !== undefined) return { ...answer, tokensIn, tokensOut, isEstimated: false };
  return {
    ...answer,
    tokensIn: estimateMessageTokens(request.messages),
    tokensOut: estimateTokens(answer.text + (answer.toolCalls ?? []).map((call) => call.argumentsText).join("")),
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
