import { env } from "@/lib/env";

/** What credits cost in money. */
export function costOf(credits: number): { credits: number; amount: number; currency: string } {
  const { CREDIT_PRICE, CREDIT_CURRENCY } = env();
  return { credits, amount: Math.round(credits * CREDIT_PRICE * 10_000) / 10_000, currency: CREDIT_CURRENCY };
}
