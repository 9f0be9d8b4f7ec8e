import { estimateReading, type ReadingEstimate } from "@/lib/domain/reading-plan";
import type { CutPart } from "@/lib/services/turns/parts/cut-document";

/**
 * What it is likely to cost to read these parts and to answer from them, for the reservation and for the quote.
 * @param besides tokens of what no part holds, such as images
 */
export function estimateParts(
  model: string,
  fixedTokens: number,
  parts: readonly CutPart[],
  besides = 0,
): ReadingEstimate {
  const tokens = parts.reduce((sum, part) => sum + part.tokens * part.likelihood, besides);
  const asked = parts.reduce((sum, { likelihood }) => sum + likelihood, 0);
  return estimateReading(model, fixedTokens, tokens, { parts: parts.length, asked });
}
