import { APIError } from "openai";
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { isTooLong } from "@/lib/ai/provider-words";

/** What a model, or its server, may refuse of a request that is good without it. */
const REFUSABLE = [
  "thoughts",
  "tools",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "two_questions",
  "response_format",
] as const;

/**
 * A field's name; "two_questions" are those that stand side by side, as after a turn that failed, and "thoughts" what a model
 * thought before it called tools.
 */
export type Refusable = (typeof REFUSABLE)[number];

/**
 * For what a request was refused that can be asked again without it: small models know no tools, some servers no counts in a
 * stream, and of the two names of the longest answer most know one; many models' templates want question and answer in turn.
 * Undefined when that is not what the error says.
 */
export function findRefused(error: unknown, body: ChatCompletionCreateParamsStreaming): Refusable | undefined {
  // What is too long is no less so without its tools, though they are counted in the same sentence.
  if (!(error instanceof APIError) || isTooLong(error)) return undefined;
  return REFUSABLE.find((name) => isIn(name, body) && isRefusalOf(name, error));
}

function isIn(name: Refusable, body: ChatCompletionCreateParamsStreaming): boolean {
  if (name === "thoughts") return body.messages.some(hasThoughts);
  if (name !== "two_questions") return body[name] !== undefined;
  return body.messages.some(({ role }, index) => role === "user" && body.messages[index - 1]?.role === "user");
}

function hasThoughts(message: ChatCompletionMessageParam): boolean {
  if (message.role !== "assistant") return false;
  const calls: readonly object[] = message.tool_calls ?? [];
  return (
    "reasoning_content" in message || "reasoning_details" in message || calls.some((call) => "extra_content" in call)
  );
}

function isRefusalOf(name: Refusable, { status = 0, message, param, code }: APIError): boolean {
  const isOfRequest = status === 400 || status === 422;
  // A server that was started without tools, or whose template fails, says so as a fault of its own.
  const isOwnFault = status >= 500;
  const isOfThoughts = THOUGHTS.test(message);
  if (name === "thoughts") return isOfRequest && isOfThoughts && NOT_KNOWN.test(message);
  // A server that misses them speaks of tools too, and would be asked without any for as long as the process runs.
  if (name === "tools" && isOfThoughts) return false;
  if (name === "tools") {
    if (IN_MESSAGES.test(`${param} ${message}`)) return false;
    return isOfRequest || status === 404 ? /tool|function/i.test(message) : isOwnFault && NO_TOOLS.test(message);
  }
  // Of servers that know none, of those that know other forms, and of grammars that cannot be made of a schema.
  if (name === "response_format") return (isOfRequest || isOwnFault) && OF_FORMAT.test(`${code} ${param} ${message}`);
  if (name === "two_questions") return (isOfRequest || isOwnFault) && /\balternat(e|ing)\b/i.test(message);
  return isOfRequest && NOT_KNOWN.test(message) && (param === name || isNamed(message, name));
}

/**
 * Whether a refusal is of what the model wrote this time, not of what it can: a call of a tool that was no good. Asked without
 * tools it answers, and the next time it may have them again.
 */
export function isOfOneAnswer(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  // A schema that a server cannot use says nothing of another one.
  return error.code === "tool_use_failed" || TOOL_USE_FAILED.test(error.message) || OF_SCHEMA.test(error.message);
}

/** A request with a schema has no tools, of which a server could say the same. */
const OF_FORMAT = /response_format|schema|structured.?output|output_config|guided|grammar|generate json/i;

/**
 * The words of OpenAI, of Gemini, Anthropic and Fireworks, of Groq for an answer that came to no JSON, and those of servers that make
 * a grammar of a schema.
 */
const OF_SCHEMA =
  /invalid (json )?schema|invalid_json_schema|schema is (invalid|too)|schema conversion|could not understand|response_schema|\.schema\b|json_validate_failed|generate json|grammar/i;

/** Groq's words, which routers hand on without its code. */
const TOOL_USE_FAILED =
  /tool_use_failed|failed to call a function|tool call validation failed|model called a tool|parse tool call arguments/i;

const THOUGHTS = /reasoning_content|reasoning_details|extra_content|thought_signature/i;

const NO_TOOLS = /\btools?\b.{0,40}(--jinja|not support|unsupported)|(unsupported|not support).{0,40}\btools?\b/i;

/** What was said, tool calls among it: they stay in the request when its tools are left out. */
const IN_MESSAGES = /\bmessages(\.?\[|\.\d| with role)/i;

/** A field that is not known, and not one whose value is wrong. */
const NOT_KNOWN =
  /unsupported|not supported|not permitted|not allowed|forbidden|unknown|unrecognized|unexpected|extra (input|field)|cannot find field/i;

/** Whether the name stands for itself: "max_tokens" is no part of another. */
function isNamed(message: string, name: Refusable): boolean {
  return new RegExp(`(?<![A-Za-z_])${name}(?![A-Za-z_])`).test(message);
}
