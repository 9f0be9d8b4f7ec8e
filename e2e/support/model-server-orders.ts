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
  chunkCharacters?: number;
  fault?: ModelFault;
  /** The fault meets only the first so many requests with the same last user message; all when absent. */
  faultTimes?: number;
  /** Leaves out the token counts, as some servers do. */
  isWithoutUsage?: boolean;
  finishReason?: string;
}

/**
 * Orders written into a user's message, for tests that run in another process than the server:
 *
 * `[[fail:500]]` always, `[[fail:500:2]]` two times, `[[fail:429:1:7]]` once with `Retry-After: 7`, `[[quota]]`,
 * `[[reset]]`, `[[break]]`, `[[end]]`, `[[malformed]]`, `[[stream-error]]`, `[[hang]]`, `[[stall]]`,
 * `[[keep-alive]]`, `[[linger]]`, each with `:N` for the first N times only;
 * `[[slow:50ms]]` between chunks, `[[first:200ms]]` before the first, `[[size:5000]]` characters,
 * `[[chunk:3]]` characters a chunk, `[[answer:any text]]`, `[[finish:length]]`, `[[no-usage]]`.
 */
export function readOrders(text: string): ModelOrders {
  const orders: ModelOrders = {};
  for (const [, name = "", rest = ""] of text.matchAll(/\[\[([a-z-]+)(?::([^\]]*))?\]\]/g)) {
    Object.assign(orders, READERS[name]?.(rest) ?? readFault(name, rest));
  }
  return orders;
}

const READERS: Record<string, (rest: string) => ModelOrders> = {
  slow: (rest) => ({ chunkMs: Number.parseInt(rest, 10) }),
  first: (rest) => ({ firstChunkMs: Number.parseInt(rest, 10) }),
  size: (rest) => ({ sizeCharacters: Number.parseInt(rest, 10) }),
  chunk: (rest) => ({ chunkCharacters: Number.parseInt(rest, 10) }),
  answer: (rest) => ({ answer: rest }),
  finish: (rest) => ({ finishReason: rest }),
  "no-usage": () => ({ isWithoutUsage: true }),
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
