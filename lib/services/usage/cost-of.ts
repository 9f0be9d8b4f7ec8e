import { env } from "@/lib/env";

/** As many as floating point is sure of: what it adds behind them is cut off, and nothing of a small price is. */
const SURE_DIGITS = 15;

/** What credits cost in money. As fine as the price is, so that sums of amounts are the amounts of sums. */
export function costOf(credits: number): { credits: number; amount: number; currency: string } {
  const { CREDIT_PRICE, CREDIT_CURRENCY } = env();
  return { credits, amount: Number((credits * CREDIT_PRICE).toPrecision(SURE_DIGITS)), currency: CREDIT_CURRENCY };
}
