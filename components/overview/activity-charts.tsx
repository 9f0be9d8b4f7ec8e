import { type ReactNode, useId } from "react";
import type { ChartPoint } from "@/components/charts/chart-frame";
import { findOpenPoint } from "@/components/charts/open-point";
import { StackedChart } from "@/components/charts/stacked-chart";
import { VolumeChart } from "@/components/charts/volume-chart";
import { formatCompact, formatNumber, formatPercent } from "@/components/ui/format-number";
import type { Overview, OverviewPoint } from "@/lib/contracts/overview";

interface ActivityChartsProps {
  overview: Pick<Overview, "points" | "totals" | "unit">;
  /** Beside the largest chart: the plan. */
  aside: ReactNode;
}

/** The head of a block and the three parts of its chart stand in line with those beside it, however long a legend is. */
const BESIDE_OTHERS = "lg:mt-10 lg:row-span-4 lg:grid lg:grid-rows-subgrid";

/** What the project does over time: calls large, and under them what came of them. */
export function ActivityCharts({ overview: { points, totals, unit }, aside }: ActivityChartsProps) {
  const at: Activity["at"] = (values) => toPoints(points, unit, values);
  const activity: Activity = { totals, unit, at, openAt: findOpenPoint(at(() => ({}))) };
  return (
    <div className="grid gap-x-10 gap-y-10 lg:grid-cols-3 lg:gap-y-0">
      <Requests {...activity} />
      <div>{aside}</div>
      <Tokens {...activity} />
      <Credits {...activity} />
      <Errors {...activity} />
    </div>
  );
}

/** What each chart draws its own part of. */
interface Activity extends Pick<Overview, "totals" | "unit"> {
  at: (values: (point: OverviewPoint) => Record<string, number>) => ChartPoint[];
  openAt: string | undefined;
}

function Requests({ totals, unit, at, openAt }: Activity) {
  return (
    <Block className="lg:col-span-2" figure={formatNumber(totals.requests)} title="Requests">
      <VolumeChart
        label={`Requests per ${unit}`}
        openAt={openAt}
        points={at(({ requests }) => ({ requests }))}
        series={[{ id: "requests", name: "Requests" }]}
        unit="requests"
      />
    </Block>
  );
}

function Tokens({ totals, unit, at, openAt }: Activity) {
  return (
    <Block
      className={BESIDE_OTHERS}
      figure={formatCompact(totals.tokensIn + totals.tokensOut)}
      note={`${formatCompact(totals.tokensIn)} read, ${formatCompact(totals.tokensOut)} written`}
      title="Tokens"
    >
      <StackedChart
        label={`Tokens per ${unit}`}
        openAt={openAt}
        points={at(({ tokensIn, tokensOut }) => ({ tokensIn, tokensOut }))}
        series={[
          { id: "tokensIn", name: "Read" },
          { id: "tokensOut", name: "Written" },
        ]}
        unit="tokens"
      />
    </Block>
  );
}

function Credits({ totals, unit, at, openAt }: Activity) {
  return (
    <Block
      className={BESIDE_OTHERS}
      figure={formatNumber(totals.creditsUsed)}
      note="charged for finished work"
      title="Credits"
    >
      <VolumeChart
        label={`Credits per ${unit}`}
        openAt={openAt}
        points={at(({ creditsUsed }) => ({ creditsUsed }))}
        series={[{ id: "creditsUsed", name: "Credits" }]}
        unit="credits"
      />
    </Block>
  );
}

function Errors({ totals, unit, at, openAt }: Activity) {
  const errors = totals.clientErrors + totals.serverErrors;
  return (
    <Block
      className={BESIDE_OTHERS}
      figure={formatNumber(errors)}
      note={errors === 0 ? "every call was accepted" : `${formatPercent(errors / totals.requests)} of all requests`}
      title="Errors"
    >
      <StackedChart
        label={`Errors per ${unit}`}
        openAt={openAt}
        points={at(({ clientErrors, serverErrors }) => ({ clientErrors, serverErrors }))}
        series={[
          { id: "clientErrors", name: "Refused (4xx)" },
          { id: "serverErrors", name: "Failed (5xx)" },
        ]}
        unit="calls"
      />
    </Block>
  );
}

function toPoints(
  points: OverviewPoint[],
  unit: Overview["unit"],
  values: (point: OverviewPoint) => Record<string, number>,
): ChartPoint[] {
  return points.map((point) => ({ at: unit === "day" ? point.at.slice(0, 10) : point.at, values: values(point) }));
}

interface BlockProps {
  title: string;
  /** The sum over the range. */
  figure: string;
  note?: string;
  className?: string;
  children: ReactNode;
}

/** A sum, and how it came about. */
function Block({ title, figure, note, className = "", children }: BlockProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`min-w-0 ${className}`}>
      <div className="mb-3">
        <h2 className="text-code text-muted" id={id}>
          {title}
        </h2>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-semibold text-title tabular-nums tracking-[-0.015em]">{figure}</span>
          {note ? <span className="text-code text-muted">{note}</span> : null}
        </p>
      </div>
      {children}
    </section>
  );
}
