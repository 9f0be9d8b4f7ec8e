import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ModelFault, ModelOrders } from "@/e2e/support/model-server-orders";
import { readImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";

/** A message as it comes over the wire. */
export interface SentMessage {
  role: string;
  content: string | { type: string; text?: string; image_url?: { url: string } }[] | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface AnswerJob {
  response: ServerResponse;
  orders: ModelOrders;
  fault: ModelFault | undefined;
  model: string;
  messages: SentMessage[];
  text: string;
  /** No chunk after the first before this. */
  hold?: Promise<void> | undefined;
  /** The whole body of the answer, where it is no completion. */
  whole?: object;
}

/** All text of a message, pictures left out. */
export function textOf(message: SentMessage | undefined): string {
  if (typeof message?.content === "string") return message.content;
  return (message?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n\n");
}

/** The same answer for the same message, always. */
export function answerText(orders: ModelOrders, lastUserText: string): string {
  const text = orders.answer ?? `Echo: ${lastUserText}`;
  const size = orders.sizeCharacters;
  return size === undefined ? text : text.padEnd(size, FILLER).slice(0, size);
}

const FILLER = " Lorem ipsum dolor sit amet.";
const CHUNK_CHARACTERS = 16;

/** Sends an answer or its fault, streamed or whole as the request asks; reports how it ended. */
export async function sendAnswer(
  job: AnswerJob,
  body: Record<string, unknown>,
  report: (outcome: "answered" | "faulted") => void,
): Promise<void> {
  const { response, fault } = job;
  if (fault?.kind === "hang") return;
  if (fault?.kind === "reset") {
    report("faulted");
    response.socket?.resetAndDestroy();
    return;
  }
  const refusal = toolRefusal(job, body);
  if (fault?.kind === "status" || refusal) {
    report("faulted");
    sendFailure(response, refusal ?? (fault as StatusFault));
    return;
  }
  if (body.stream !== true) {
    report("answered");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(job.whole ?? wholeAnswer(job)));
    return;
  }
  await sendStream(job, body, report);
}

type StatusFault = Extract<ModelFault, { kind: "status" }>;

function toolRefusal({ orders, model }: AnswerJob, body: Record<string, unknown>): StatusFault | undefined {
  if (!orders.isWithoutTools || body.tools === undefined) return undefined;
  return { kind: "status", status: 400, message: `${model} does not support tools` };
}

export function sendFailure(response: ServerResponse, fault: StatusFault): void {
  const headers = {
    "content-type": "application/json",
    ...(fault.retryAfter !== undefined && { "retry-after": fault.retryAfter }),
  };
  // Words that must never reach a client of the service.
  const message = fault.message ?? "SECRET-PROVIDER-TEXT about org-123";
  response
    .writeHead(fault.status, headers)
    .end(JSON.stringify({ error: { message, type: fault.code ?? "error", code: fault.code ?? null } }));
}

async function sendStream(
  job: AnswerJob,
  body: Record<string, unknown>,
  report: (outcome: "answered" | "faulted") => void,
): Promise<void> {
  const { response, orders, fault, model, hold } = job;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const toolLines = toolCallLines(job, body);
  const isTextLeft = toolLines.length === 0 || orders.answer !== undefined;
  const pieces = isTextLeft ? cutText(job.text, orders.chunkCharacters ?? CHUNK_CHARACTERS) : [];
  const isPaced = hold !== undefined || (orders.firstChunkMs ?? 0) > 0 || (orders.chunkMs ?? 0) > 0;
  const lines: string[] = [chunkLine(model, { role: "assistant", content: "" })];
  const count = fault && fault.kind !== "linger" ? Math.min(2, pieces.length) : pieces.length;
  for (let index = 0; index < count; index++) {
    lines.push(chunkLine(model, { content: pieces[index] }));
    if (!isPaced) continue;
    await delay((index === 0 ? orders.firstChunkMs : orders.chunkMs) ?? 0, undefined, { signal: gone.signal }).catch(
      () => {},
    );
    if (gone.signal.aborted) return;
    response.write(lines.splice(0).join(""));
    if (index === 0 && hold) await Promise.race([hold, once(gone.signal, "abort")]);
  }
  if (fault?.kind === "linger") lines.push(chunkLine(model, {}, "stop"));
  if (fault) {
    await breakStream(response, lines.join(""), fault, gone.signal, report);
    return;
  }
  lines.push(...toolLines);
  lines.push(chunkLine(model, {}, orders.finishReason ?? (toolLines.length > 0 ? "tool_calls" : "stop")));
  const wantsUsage = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  if (wantsUsage && !orders.isWithoutUsage)
    lines.push(dataLine({ ...envelope(model), choices: [], usage: usageOf(job) }));
  report("answered");
  response.end(`${lines.join("")}data: [DONE]\n\n`);
}

/** Tool calls as they stream: name first, then the arguments in small pieces. Only tools that were offered are called. */
function toolCallLines({ orders, model, messages }: AnswerJob, body: Record<string, unknown>): string[] {
  const hasAnswered = messages.at(-1)?.role === "tool";
  const isOffered = Array.isArray(body.tools) && body.tools.length > 0 && body.tool_choice !== "none";
  if (!isOffered || (hasAnswered && !orders.areToolsCalledAgain)) return [];
  return (orders.toolCalls ?? []).flatMap(({ name, argumentsText }, index) => {
    const id = `call_${index}_${name}`;
    if (orders.isToolCallWhole) {
      return [
        chunkLine(model, { tool_calls: [{ id, type: "function", function: { name, arguments: argumentsText } }] }),
      ];
    }
    const begin = { index, id, type: "function", function: { name, arguments: "" } };
    const pieces = cutText(argumentsText, TOOL_PIECE_CHARACTERS);
    return [begin, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((call) =>
      chunkLine(model, { tool_calls: [call] }),
    );
  });
}

const TOOL_PIECE_CHARACTERS = 7;

async function breakStream(
  response: ServerResponse,
  beginning: string,
  fault: ModelFault,
  gone: AbortSignal,
  report: (outcome: "faulted") => void,
): Promise<void> {
  await new Promise<void>((resolve) => response.write(beginning || ": beginning\n\n", () => resolve()));
  if (fault.kind === "stall" || fault.kind === "linger") return;
  while (fault.kind === "keep-alive" && !gone.aborted) {
    response.write(": still here\n\n");
    await delay(KEEP_ALIVE_MS, undefined, { signal: gone }).catch(() => {});
  }
  if (gone.aborted) return;
  report("faulted");
  if (fault.kind === "break") response.socket?.resetAndDestroy();
  else if (fault.kind === "malformed") response.end('data: {"choices":[{"delta":{"content":"cut of\n\n');
  else if (fault.kind === "stream-error")
    response.end(dataLine({ error: { message: "SECRET-PROVIDER-TEXT", code: fault.code ?? "server_error" } }));
  else response.end();
}

const KEEP_ALIVE_MS = 20;

function cutText(text: string, size: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(""));
  return pieces;
}

function envelope(model: string) {
  return { id: "chatcmpl-test", object: "chat.completion.chunk", created: 1_700_000_000, model };
}

function dataLine(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function chunkLine(model: string, delta: object, finishReason: string | null = null): string {
  return dataLine({ ...envelope(model), choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

function wholeAnswer(job: AnswerJob) {
  const message = { role: "assistant", content: job.text };
  const choice = { index: 0, message, finish_reason: job.orders.finishReason ?? "stop" };
  return { ...envelope(job.model), object: "chat.completion", choices: [choice], usage: usageOf(job) };
}

/** A picture costs by its size, as at real providers. */
function pictureTokens({ content }: SentMessage): number {
  const urls = Array.isArray(content) ? content.flatMap(({ image_url }) => image_url?.url ?? []) : [];
  const sizes = urls.map((url) => readImageSize(Buffer.from(url.slice(url.indexOf(",") + 1), "base64")));
  return sizes.reduce((sum, size) => sum + (size ? estimateImageTokens(size.width, size.height) : 0), 0);
}

/** The counts of this "provider": the service must pass them on as they are. */
function usageOf({ messages, text }: AnswerJob) {
  const prompt =
    messages.reduce((sum, message) => sum + estimateTokens(textOf(message)) + pictureTokens(message), 0) + 3;
  const completion = Math.max(1, estimateTokens(text));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
