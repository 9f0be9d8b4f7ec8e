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

/**
 * Why an answer ended, in OpenAI's words: servers have others for one that was cut.
 * @throws Error where it says that the answer broke off
 */
export function readFinish(reason: string): string {
  if (BROKEN_OFF.has(reason)) throw new Error(`ended with ${reason}`);
  if (CUT.has(reason.toLowerCase())) return "length";
  return /^content_filter\b/i.test(reason) ? "content_filter" : reason;
}

/** Of OpenRouter and Mistral, of vLLM and SGLang, of DeepSeek. */
const BROKEN_OFF = new Set(["error", "abort", "insufficient_system_resource"]);

/** Of Mistral, and of servers that hand on the words of another protocol. */
const CUT = new Set(["model_length", "max_tokens"]);
