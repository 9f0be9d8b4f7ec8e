import { cutText } from "@/lib/domain/cut-text";

/** What a server says of a refusal. */
export interface ProviderError {
  message: string;
  code?: unknown;
  type?: unknown;
  param?: unknown;
}

/**
 * What a server's body says of a refusal, in OpenAI's form: compatible servers say it in others (`detail`, the fields without
 * `error` around them, an array, plain text, a web page). Undefined when it says nothing. Values that a server repeats of the
 * request, as FastAPI does, are left out.
 */
function readErrorBody(text: string): ProviderError | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith("<")) return inWords(readPage(trimmed));
  try {
    return toProviderError(JSON.parse(trimmed));
  } catch {
    return inWords(trimmed);
  }
}

/** The same of a body that was read, or of a chunk in a stream. */
export function toProviderError(body: unknown): ProviderError | undefined {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(whole)) return inWords(say(whole));
  const error = whole.error ?? whole;
  if (!isRecord(error)) return inWords(say(error));
  const { code, type, param, metadata } = error;
  // A router's own words are few: what the provider behind it said stands beside them.
  const words = [say(error), isRecord(metadata) ? say(metadata.raw) : ""].filter((part) => part !== "").join(": ");
  if (words === "" && code == null && type == null) return undefined;
  return { message: cutText(words, MAX_CHARACTERS), code, type, param };
}

/** Of a body of an error: nobody needs more of it. */
const MAX_BYTES = 64 * 1024;
const MAX_CHARACTERS = 2_000;

/**
 * A response that is no good one, as the provider's client reads it: with the server's words in OpenAI's form, and with the wait
 * that stands in Google's bodies as `Retry-After`.
 * @param body its bytes; one that breaks off says what came before
 */
export async function toErrorResponse(
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Response> {
  const text = await readBeginning(body);
  const wait = headers.has("retry-after") ? null : RETRY_DELAY.exec(text)?.[1];
  if (wait) headers.set("retry-after", wait);
  const error = readErrorBody(text);
  return new Response(error ? JSON.stringify({ error }) : null, { status, headers });
}

const RETRY_DELAY = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/;

async function readBeginning(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= MAX_BYTES) break;
    }
  } catch {
    // The status stands, whatever became of its words.
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString("utf8");
}

function inWords(text: string): ProviderError | undefined {
  const message = cutText(text, MAX_CHARACTERS);
  return message === "" ? undefined : { message };
}

const MAX_DEPTH = 4;
const MAX_ITEMS = 3;

/** A text, or what a body of a framework says in its place: which field, and what is wrong with it. */
function say(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return "";
  if (typeof value === "string") return sayText(value.trim(), depth);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => say(item, depth + 1));
    return items.filter((item) => item !== "").join("; ");
  }
  if (!isRecord(value)) return "";
  const { message, detail, msg, error, loc } = value;
  const text = say(message ?? detail ?? msg ?? error, depth + 1);
  return Array.isArray(loc) ? `${loc.join(".")}: ${text}` : text;
}

/** Routers hand on the body of the provider behind them as a text. */
function sayText(text: string, depth: number): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return say(JSON.parse(text), depth + 1) || text;
  } catch {
    return text;
  }
}

/** The title of a web page, or else its text. */
function readPage(page: string): string {
  const begin = page.slice(0, MAX_CHARACTERS);
  const title = /<title[^<>]*>([^<]+)</i.exec(begin)?.[1];
  return (title ?? begin.replace(/<[^<>]*>/g, " ")).replace(/\s+/g, " ").trim();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
