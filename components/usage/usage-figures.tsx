import { formatMoney, formatNumber } from "@/components/ui/format-number";
import { Stats } from "@/components/ui/stats";
import type { UsageReport } from "@/lib/contracts/usage";

/** The sums of a period, as `GET /usage` gives them. */
export function UsageFigures({ totals, days }: { totals: UsageReport["totals"]; days: number }) {
  const { requests, tokensIn, tokensOut, tokensUsed, creditsUsed, cost } = totals;
  return (
    <Stats
      items={[
        { name: "Finished work", value: formatNumber(requests), note: days === 1 ? "in 1 day" : `in ${days} days` },
        {
          name: "Tokens",
          value: formatNumber(tokensUsed),
          note: `${formatNumber(tokensIn)} read, ${formatNumber(tokensOut)} written`,
        },
        { name: "Credits", value: formatNumber(creditsUsed) },
        { name: "Cost", value: formatMoney(cost.amount, cost.currency) },
      ]}
    />
  );
}
