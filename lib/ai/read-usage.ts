/** Tokens as a server counted them; undefined where it gave no count. */
export interface CountedTokens {
  tokensIn: number | undefined;
  tokensOut: number | undefined;
}

/**
 * What a server says of used tokens. OpenAI counts what a model thought into its answer; Gemini and xAI into the total alone, and
 * it is paid all the same.
 */
export function readUsage(usage: object): CountedTokens {
  const { prompt_tokens, completion_tokens, total_tokens } = usage as Record<string, unknown>;
  const tokensIn = toCount(prompt_tokens);
  const answer = toCount(completion_tokens);
  if (answer === undefined || tokensIn === undefined) return { tokensIn, tokensOut: answer };
  return { tokensIn, tokensOut: Math.max(answer, (toCount(total_tokens) ?? 0) - tokensIn) };
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
