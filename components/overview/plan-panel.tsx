import { PlanMeter } from "@/components/charts/plan-meter";
import { PlanEnd } from "@/components/overview/plan-end";
import { formatNumber } from "@/components/ui/format-number";
import { formatDay } from "@/components/ui/format-time";
import { KeyValues } from "@/components/ui/key-values";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import type { PlanMeter as Plan } from "@/lib/contracts/overview";

/** How much of the account's plan and credits is left. */
export function PlanPanel({ plan, usageHref }: { plan: Plan; usageHref: string }) {
  const { balance, reserved, usedThisPeriod } = plan.credits;
  return (
    <Section
      action={
        <NearLink className="text-accent-text hover:underline" href={usageHref}>
          See usage
        </NearLink>
      }
      isFramed
      text="Of the account, over all its projects."
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
          ]}
        />
      </div>
      <div className="mt-3 grid gap-3">
        <PlanEnd plan={plan} />
      </div>
    </Section>
  );
}

function Figure({ value }: { value: number }) {
  return <span className="font-semibold text-base tabular-nums">{formatNumber(value)}</span>;
}
