import { PlanMeter } from "@/components/charts/plan-meter";
import { MoreLink } from "@/components/overview/more-link";
import { PlanEnd } from "@/components/overview/plan-end";
import { formatNumber } from "@/components/ui/format-number";
import { formatDay } from "@/components/ui/format-time";
import { KeyValues } from "@/components/ui/key-values";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import type { PlanMeter as Plan } from "@/lib/contracts/overview";

interface PlanPanelProps {
  plan: Plan;
  usageHref: string;
  /** Calls per key and minute, where all of the plan is told; else the way to where it is. */
  requestsPerMinute?: number;
}

/** How much of the account's plan and credits is left. */
export function PlanPanel({ plan, usageHref, requestsPerMinute }: PlanPanelProps) {
  const { balance, reserved, usedThisPeriod } = plan.credits;
  const isWhole = requestsPerMinute !== undefined;
  return (
    <Section
      action={
        <NearLink className="text-accent-text hover:underline" href={usageHref}>
          See usage
        </NearLink>
      }
      isFramed
      text={isWhole ? undefined : "Of the account, over all its projects."}
      title={`${plan.name} plan`}
    >
      <PlanMeter
        label="Tokens this month"
        limit={plan.tokenLimit}
        note={`Begins again on ${formatDay(new Date(plan.periodEnd), "UTC")}, 00:00 UTC`}
        unit="tokens"
        used={plan.tokensUsed}
      />
      <div className="mt-4 border-separator border-t pt-2">
        <KeyValues
          items={[
            { name: "Credits left", value: <Figure value={balance} /> },
            { name: "In open work", value: formatNumber(reserved) },
            { name: "Used this month", value: formatNumber(usedThisPeriod) },
            {
              name: "Rate limit",
              value: isWhole ? `${formatNumber(requestsPerMinute)} calls per key and minute` : null,
            },
          ]}
        />
      </div>
      <div className="mt-3 grid gap-3 empty:hidden">
        <PlanEnd plan={plan} />
        {isWhole ? null : <MoreLink />}
      </div>
    </Section>
  );
}

function Figure({ value }: { value: number }) {
  return <span className="font-semibold text-base tabular-nums">{formatNumber(value)}</span>;
}
