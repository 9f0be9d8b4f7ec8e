import type { UsageFigures } from "@/lib/contracts/usage-breakdown";
import type { CsvCell } from "@/lib/domain/csv";
import { costOf } from "@/lib/services/usage/cost-of";

/** The figures as every file of usage has them, behind what its lines are of. */
export const USAGE_COLUMNS = [
  "requests",
  "tokensIn",
  "tokensOut",
  "tokensUsed",
  "creditsUsed",
  "amount",
  "currency",
] as const;

/** In the order of those columns. */
export function usageCells({ requests, tokensIn, tokensOut, creditsUsed }: UsageFigures): CsvCell[] {
  const { amount, currency } = costOf(creditsUsed);
  return [requests, tokensIn, tokensOut, tokensIn + tokensOut, creditsUsed, amount, currency];
}
