/** Ten times what the largest windows hold. What is above it counts something else, and no turn could be written down with it. */
const MAX_TOKENS_OF_A_CALL = 100_000_000;

/** Tokens as a server counted them; undefined where it gave no count. */
export interface CountedTokens {
  tokensIn: number | undefined;
  tokensOut: number | undefined;
}

/**
 * What a server says of used tokens. OpenAI counts what a model thought into its answer; Gemini and xAI into the total alone, and
 * it is paid all the same. Gateways to Anthropic leave what came from a cache, or went into one, out of the input: it counts there.
 */
export function readUsage(usage: object): CountedTokens {
  const { prompt_tokens, completion_tokens, total_tokens } = usage as Record<string, unknown>;
  const tokensIn = toCount(prompt_tokens);
  const answer = toCount(completion_tokens);
  if (answer === undefined || tokensIn === undefined) return { tokensIn, tokensOut: answer };
  const unexplained = Math.max(0, (toCount(total_tokens) ?? 0) - tokensIn - answer);
  return unexplained === cachedOf(usage)
    ? { tokensIn: tokensIn + unexplained, tokensOut: answer }
    : { tokensIn, tokensOut: answer + unexplained };
}

/** Tokens of the input that were read from a cache or written to one, as Anthropic names them, or OpenAI those that were read. */
function cachedOf(usage: object): number {
  const counts = usage as Record<string, unknown>;
  const details = (counts.prompt_tokens_details ?? {}) as Record<string, unknown>;
  const read = toCount(counts.cache_read_input_tokens) ?? toCount(details.cached_tokens) ?? 0;
  return read + (toCount(counts.cache_creation_input_tokens) ?? 0);
}

function toCount(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isInteger(value)) return undefined;
  return value >= 0 && value <= MAX_TOKENS_OF_A_CALL ? value : undefined;
}
