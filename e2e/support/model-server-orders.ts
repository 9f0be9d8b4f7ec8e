/** What goes wrong with one answer of the test model. */
export type ModelFault =
  /** An HTTP error. `code` is the provider's word, e.g. "insufficient_quota". */
  | { kind: "status"; status: number; retryAfter?: string; code?: string; message?: string }
  /** The connection is reset before any answer. */
  | { kind: "reset" }
  /** Some text, then the connection is cut. */
  | { kind: "break" }
  /** Some text, then a proper end of the body without a finish. */
  | { kind: "end" }
  /** Some text, then a chunk that is no JSON. */
  | { kind: "malformed" }
  /** Some text, then an error object in the stream. */
  | { kind: "stream-error"; code?: string }
  /** The whole answer with its finish, then an open connection for ever. */
  | { kind: "linger" }
  /** No answer at all, for ever. */
  | { kind: "hang" }
  /** Some text, then silence for ever. */
  | { kind: "stall" }
  /** Some text, then comments that keep the line open, for ever. */
  | { kind: "keep-alive" };

/** How the test model answers one request. */
export interface ModelOrders {
  /** The answer's text; `Echo: <last user text>` when absent. */
  answer?: string;
  /** The answer is filled up or cut to this many characters. */
  sizeCharacters?: number;
  /** Wait before the first chunk. */
  firstChunkMs?: number;
  /** Wait before each further chunk. */
  chunkMs?: number;
  /** No chunk after the first before someone lets this name go. */
  holdName?: string;
  chunkCharacters?: number;
  fault?: ModelFault;
  /** The fault meets only the first so many requests with the same last user message; all when absent. */
  faultTimes?: number;
  /** Leaves out the token counts, as some servers do. */
  isWithoutUsage?: boolean;
  finishReason?: string;
  /** Tools that the answer calls, where they are offered and no tool has answered yet. */
  toolCalls?: { name: string; argumentsText: string }[];
  /** Calls them again after a tool's answer. */
  areToolsCalledAgain?: boolean;
  /** Sends tool calls in one piece, without an index, as some servers do. */
  isToolCallWhole?: boolean;
  /** Refuses requests that offer tools. */
  isWithoutTools?: boolean;
  /** Where a picture is, instead of the picture: "own" is an address on this server. */
  pictureAddress?: string;
  /** What is made is nothing of its kind. */
  isNoMedia?: boolean;
  /** How often a video that is asked after is still being made; once when absent. */
  videoQuestions?: number;
  /** The video fails in the end. */
  isVideoFailing?: boolean;
}

/**
 * Orders written into a user's message, for tests that run in another process than the server:
 *
 * `[[fail:500]]` always, `[[fail:500:2]]` two times, `[[fail:429:1:7]]` once with `Retry-After: 7`, `[[quota]]`,
 * `[[reset]]`, `[[break]]`, `[[end]]`, `[[malformed]]`, `[[stream-error]]`, `[[hang]]`, `[[stall]]`,
 * `[[keep-alive]]`, `[[linger]]`, each with `:N` for the first N times only;
 * `[[slow:50ms]]` between chunks, `[[first:200ms]]` before the first, `[[hold:name]]` after it until `POST /release/name`,
 * `[[size:5000]]` characters,
 * `[[chunk:3]]` characters a chunk, `[[answer:any text]]`, `[[finish:length]]`, `[[no-usage]]`;
 * `[[tool:create_image {"prompt":"a hut"}]]` calls a tool, several times several tools, `[[whole-call]]` in one piece,
 * `[[tool-again]]` also after a tool has answered, `[[no-tools]]` refuses tools. In what a tool is called with, and for that call alone, orders are written `((fail:404))`;
 * there also `((url:own))` for a picture by address, `((no-media))`, `((questions:3))` and `((video-fails))`.
 */
export function readOrders(text: string): ModelOrders {
  const orders: ModelOrders = {};
  for (const [, name = "", rest = ""] of text.matchAll(/\[\[([a-z-]+)(?::([^\]]*))?\]\]/g)) {
    if (name === "tool") orders.toolCalls = [...(orders.toolCalls ?? []), readToolCall(rest)];
    else Object.assign(orders, READERS[name]?.(rest) ?? readFault(name, rest));
  }
  return orders;
}

function readToolCall(text: string) {
  const [name = "", ...rest] = text.split(" ");
  return { name, argumentsText: rest.join(" ") };
}

const READERS: Record<string, (rest: string) => ModelOrders> = {
  slow: (rest) => ({ chunkMs: Number.parseInt(rest, 10) }),
  first: (rest) => ({ firstChunkMs: Number.parseInt(rest, 10) }),
  hold: (rest) => ({ holdName: rest }),
  size: (rest) => ({ sizeCharacters: Number.parseInt(rest, 10) }),
  chunk: (rest) => ({ chunkCharacters: Number.parseInt(rest, 10) }),
  answer: (rest) => ({ answer: rest }),
  finish: (rest) => ({ finishReason: rest }),
  "no-usage": () => ({ isWithoutUsage: true }),
  "whole-call": () => ({ isToolCallWhole: true }),
  "tool-again": () => ({ areToolsCalledAgain: true }),
  "no-tools": () => ({ isWithoutTools: true }),
  url: (rest) => ({ pictureAddress: rest }),
  "no-media": () => ({ isNoMedia: true }),
  questions: (rest) => ({ videoQuestions: Number(rest) }),
  "video-fails": () => ({ isVideoFailing: true }),
  fail(rest) {
    const [status, times, retryAfter] = rest.split(":");
    return {
      fault: { kind: "status", status: Number(status), ...(retryAfter !== undefined && { retryAfter }) },
      ...readTimes(times),
    };
  },
  quota: (rest) => ({ fault: { kind: "status", status: 429, code: "insufficient_quota" }, ...readTimes(rest) }),
};

const PLAIN_FAULTS = [
  "reset",
  "break",
  "end",
  "malformed",
  "stream-error",
  "hang",
  "stall",
  "keep-alive",
  "linger",
] as const;

function readFault(name: string, times: string): ModelOrders {
  const kind = PLAIN_FAULTS.find((fault) => fault === name);
  return kind === undefined ? {} : { fault: { kind }, ...readTimes(times) };
}

function readTimes(times: string | undefined): Pick<ModelOrders, "faultTimes"> {
  return times ? { faultTimes: Number(times) } : {};
}
