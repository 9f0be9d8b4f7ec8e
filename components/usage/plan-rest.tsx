import { MoreLink } from "@/components/overview/more-link";
import { PlanEnd } from "@/components/overview/plan-end";
import { formatCount, formatNumber } from "@/components/ui/format-number";
import type { PlanMeter } from "@/lib/contracts/overview";

interface PlanRestProps {
  plan: PlanMeter;
  /** What the project may use in a month, and has, with what running work was promised. Null: it has no limit of its own. */
  project: { allowance: number; used: number } | null;
}

/** What is left to be used, above what was used: who is told that it runs out is led here. */
export function PlanRest({ plan, project }: PlanRestProps) {
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
      {project ? (
        <p>
          This project: {formatNumber(project.used)} of {formatCount(project.allowance, "credit")} used this month.
        </p>
      ) : null}
      <PlanEnd plan={plan} />
      <MoreLink />
    </div>
  );
}
