import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { Refusable } from "@/lib/ai/find-refused";
import type { AnswerRequest, ModelMessage, ModelPart, ToolCall, ToolDefinition } from "@/lib/ai/model-message";
import { findModel } from "@/lib/domain/model-catalog";
import { isStrict } from "@/lib/domain/output-schema";
import type { OutputSchema } from "@/lib/domain/schema-keywords";

/**
 * A request in the words of the chat completions protocol, as most compatible servers speak it.
 * @param refused what the model's server does not take
 */
export function toCompletionRequest(
  request: AnswerRequest,
  refused: ReadonlySet<Refusable> = new Set(),
): ChatCompletionCreateParamsStreaming {
  const said = request.messages.filter(isSaid);
  return {
    model: request.model,
    messages: (refused.has("two_questions") ? joinQuestions(said) : said).map((message) =>
      toMessage(refused.has("thoughts") ? withoutThoughts(message) : message),
    ),
    stream: true,
    ...(!refused.has("stream_options") && { stream_options: { include_usage: true } }),
    ...(request.maxOutputTokens !== undefined && outputLimit(request.model, request.maxOutputTokens, refused)),
    ...(!refused.has("tools") && toolFields(request)),
    ...(request.outputSchema && !refused.has("response_format") && { response_format: toFormat(request.outputSchema) }),
  };
}

function toFormat(schema: OutputSchema) {
  const json_schema = { name: "answer", schema, strict: isStrict(schema) };
  return { type: "json_schema" as const, json_schema };
}

function toolFields({ tools = [], isTextOnly }: AnswerRequest) {
  if (tools.length === 0) return {};
  return { tools: tools.map(toTool), ...(isTextOnly && { tool_choice: "none" as const }) };
}

function toTool({ name, description, parameters }: ToolDefinition) {
  return { type: "function" as const, function: { name, description, parameters } };
}

/**
 * The provider's newer models refuse the old name of the limit; other servers often know only that one. Where both are refused,
 * there is no limit but the server's own.
 */
function outputLimit(
  model: string,
  tokens: number,
  refused: ReadonlySet<Refusable>,
): { max_completion_tokens?: number; max_tokens?: number } {
  const isNew = findModel(model).isKnown ? !refused.has("max_completion_tokens") : refused.has("max_tokens");
  const name = isNew ? "max_completion_tokens" : "max_tokens";
  return refused.has(name) ? {} : { [name]: tokens };
}

/** Servers refuse an answer without words. */
function isSaid({ role, toolCalls, ...message }: ModelMessage): boolean {
  return role !== "assistant" || toolCalls !== undefined || textIn(message).trim() !== "";
}

/** Whoever asks twice says it in one message. */
function joinQuestions(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== "user" || message.role !== "user") joined.push(message);
    else joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
  }
  return joined;
}

function textIn({ parts }: Pick<ModelMessage, "parts">): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function toMessage(message: ModelMessage): ChatCompletionMessageParam {
  const { role, parts, toolCalls, toolCallId, thoughts } = message;
  const text = textIn(message);
  if (role === "tool") return { role, tool_call_id: toolCallId ?? "", content: text };
  if (role === "assistant" && toolCalls) {
    return { role, content: text === "" ? null : text, tool_calls: toolCalls.map(toToolCall), ...thoughts };
  }
  if (role !== "user") return { role, content: text };
  // A plain string where it can be: not every server takes parts.
  return { role, content: parts.some((part) => part.type === "image") ? parts.map(toPart) : text };
}

function toToolCall({ id, name, argumentsText, extraContent }: ToolCall) {
  const call = {
    id,
    type: "function" as const,
    function: { name: toToolName(name), arguments: toArguments(argumentsText) },
  };
  return extraContent ? { ...call, extra_content: extraContent } : call;
}

/** Many servers read what is repeated to them, and refuse the request when it is no JSON. */
function toArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    // The tool's answer says what was wrong with it.
  }
  return "{}";
}

function withoutThoughts({ thoughts: _, ...message }: ModelMessage): ModelMessage {
  return message.toolCalls
    ? { ...message, toolCalls: message.toolCalls.map(({ extraContent: __, ...call }) => call) }
    : message;
}

/** A model may call a tool by any name, and providers refuse a request that repeats one which no tool can have. */
function toToolName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_TOOL_NAME_CHARACTERS) || "_";
}

const MAX_TOOL_NAME_CHARACTERS = 64;

function toPart(part: ModelPart): ChatCompletionContentPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const base64 = Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength).toString("base64");
  return { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${base64}` } };
}
