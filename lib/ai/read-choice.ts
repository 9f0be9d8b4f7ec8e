import { cleanText } from "@/lib/domain/chunk-text";
import { cutText } from "@/lib/domain/cut-text";

const MAX_MODEL_NAME_CHARACTERS = 200;

/**
 * The text of a message's content. Models that think aloud give a list of parts: what they thought is no part of the answer.
 */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(textOfPart).join("");
}

function textOfPart(part: unknown): string {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return typeof text === "string" && (type === undefined || type === "text" || type === "output_text") ? text : "";
}

/** What a server calls the model that answered, as it can be written down; empty where it gives no such name. */
export function modelNameOf(name: unknown): string {
  return typeof name === "string" ? cutText(cleanText(name), MAX_MODEL_NAME_CHARACTERS) : "";
}

/**
 * Why an answer ended, in OpenAI's words: servers have others for one that was cut.
 * @throws Error where it says that the answer broke off
 */
export function readFinish(reason: string): string {
  if (BROKEN_OFF.has(reason)) throw new Error(`ended with ${reason}`);
  const word = reason.toLowerCase();
  if (CUT.has(word)) return "length";
  return FILTERED.has(word) || word.startsWith("content_filter") ? "content_filter" : reason;
}

/** Of OpenRouter and Mistral, of vLLM and SGLang, of DeepSeek, of Z.ai. */
const BROKEN_OFF = new Set(["error", "abort", "insufficient_system_resource", "network_error"]);

/** Of Mistral, of Z.ai, and of servers that hand on the words of another protocol. */
const CUT = new Set(["model_length", "model_context_window_exceeded", "max_tokens"]);

/** Of Anthropic and Z.ai, and Google's own words. */
const FILTERED = new Set(["refusal", "sensitive", "safety", "recitation", "prohibited_content", "blocklist", "spii"]);
