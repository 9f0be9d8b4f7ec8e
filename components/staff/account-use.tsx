import { findOpenPoint } from "@/components/charts/open-point";
import { PlanMeter } from "@/components/charts/plan-meter";
import { VolumeChart } from "@/components/charts/volume-chart";
import { formatNumber } from "@/components/ui/format-number";
import { Stats } from "@/components/ui/stats";
import type { StaffAccountDetail, StaffUsageDay } from "@/lib/contracts/staff";

interface AccountUseProps {
  /** Of the current calendar month (UTC). */
  period: StaffAccountDetail["usedThisPeriod"];
  /** Of the last 30 days. */
  days: StaffUsageDay[];
}

/** How much of its plan an account uses, and what it did day by day. */
export function AccountUse({ period, days }: AccountUseProps) {
  const sum = (name: "requests" | "tokens" | "credits") =>
    formatNumber(days.reduce((total, day) => total + day[name], 0));
  const points = days.map(({ date, tokens }) => ({ at: date, values: { tokens } }));
  return (
    <div className="grid gap-6">
      <PlanMeter label="Tokens this month" limit={period.tokenLimit} unit="tokens" used={period.tokens} />
      <Stats
        items={[
          { name: "Finished work", value: sum("requests"), note: "30 days" },
          { name: "Tokens", value: sum("tokens"), note: "30 days" },
          { name: "Credits", value: sum("credits"), note: "30 days" },
          { name: "Credits this month", value: formatNumber(period.credits), note: "since its first day (UTC)" },
        ]}
      />
      <div>
        <p className="font-medium">Tokens</p>
        <VolumeChart
          label="Tokens per day"
          openAt={findOpenPoint(points)}
          points={points}
          series={[{ id: "tokens", name: "Tokens" }]}
          unit="tokens"
        />
      </div>
    </div>
  );
}
