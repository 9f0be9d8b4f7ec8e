import { MoreLink } from "@/components/overview/more-link";
import { PlanEnd } from "@/components/overview/plan-end";
import { formatCount, formatNumber } from "@/components/ui/format-number";
import type { PlanMeter } from "@/lib/contracts/overview";

/** What is left to be used, above what was used: who is told that it runs out is led here. */
export function PlanRest({ plan }: { plan: PlanMeter }) {
  const { name, tokenLimit, tokensUsed, credits } = plan;
  return (
    <div className="mb-6 grid gap-1">
      <p className="text-pretty">
        {name} plan of the account, over all its projects: {formatCount(credits.balance, "credit")} left
        {tokenLimit === null
          ? null
          : `, ${formatNumber(tokensUsed)} of ${formatCount(tokenLimit, "token")} used this month`}
        .
      </p>
      <PlanEnd plan={plan} />
      <MoreLink />
    </div>
  );
}
