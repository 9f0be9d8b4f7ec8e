import { formatNumber } from "@/components/ui/format-number";

/** "12 this month", "12 of 500 this month". @param allowance null: no limit */
export function monthCredits(used: number, allowance: number | null): string {
  const words = formatNumber(used);
  return allowance === null ? `${words} this month` : `${words} of ${formatNumber(allowance)} this month`;
}
