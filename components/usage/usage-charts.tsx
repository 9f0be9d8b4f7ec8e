import type { ChartPoint } from "@/components/charts/chart-frame";
import { findOpenPoint } from "@/components/charts/open-point";
import { StackedChart } from "@/components/charts/stacked-chart";
import { VolumeChart } from "@/components/charts/volume-chart";
import { Section } from "@/components/ui/section";
import type { UsageReport } from "@/lib/contracts/usage";
import type { EndpointUsageDay } from "@/lib/contracts/usage-breakdown";

interface UsageChartsProps {
  report: Pick<UsageReport, "days" | "endpoints">;
  /** Of the same period: what each endpoint used on each day. */
  endpointDays: EndpointUsageDay[];
}

/** Of what the tokens of each day are made, and the credits they cost. */
export function UsageCharts({ report: { days, endpoints }, endpointDays }: UsageChartsProps) {
  const openAt = findOpenPoint(days.map(({ date }) => ({ at: date })));
  return (
    <div className="grid gap-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="min-w-0">
        <Section title="Tokens by endpoint">
          <StackedChart
            label="Tokens per day by endpoint"
            openAt={openAt}
            points={tokenPoints(days, endpointDays)}
            series={endpoints.map(({ endpoint }) => ({ id: endpoint, name: endpoint }))}
            unit="tokens"
          />
        </Section>
      </div>
      <div className="min-w-0">
        <Section title="Credits">
          <VolumeChart
            label="Credits per day"
            openAt={openAt}
            points={days.map(({ date, creditsUsed }) => ({ at: date, values: { creditsUsed } }))}
            series={[{ id: "creditsUsed", name: "Credits" }]}
            unit="credits"
          />
        </Section>
      </div>
    </div>
  );
}

function tokenPoints(days: UsageReport["days"], endpointDays: EndpointUsageDay[]): ChartPoint[] {
  const byDay = new Map(days.map(({ date }) => [date, {} as Record<string, number>]));
  for (const { date, endpoint, tokensIn, tokensOut } of endpointDays) {
    const values = byDay.get(date);
    if (values) values[endpoint] = tokensIn + tokensOut;
  }
  return [...byDay].map(([at, values]) => ({ at, values }));
}
