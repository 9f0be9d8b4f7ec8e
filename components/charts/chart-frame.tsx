import type { ReactNode } from "react";
import { SeriesMark } from "@/components/charts/series-mark";
import { formatNumber } from "@/components/ui/format-number";
import { formatPoint } from "@/components/ui/format-time";

export interface ChartSeries {
  id: string;
  name: string;
}

/** One step of the time axis with a figure per series. */
export interface ChartPoint {
  /** `YYYY-MM-DD` for days; ISO 8601 for hours. */
  at: string;
  values: Record<string, number>;
}

export interface ChartProps {
  /** What is drawn, for screen readers: "Requests per day". */
  label: string;
  /** Of the figures: "requests", "tokens". */
  unit: string;
  series: ChartSeries[];
  points: ChartPoint[];
  /** `at` of the last point when its time is not over (open-point.ts): it is drawn lighter and said to be "so far". */
  openAt?: string | undefined;
}

/** What recharts is given of a chart. */
export interface DrawingProps extends Omit<ChartProps, "label"> {
  /** Of the place that it fills, so that it is not drawn twice. */
  size: { width: number; height: number };
}

/** Beside the figures of a point whose time is not over. */
export const SO_FAR = "so far";

/** What each point stands for and a legend above a drawing of fixed height, and its figures as a table for those who read rather than look. */
export function ChartFrame({ label, unit, series, points, openAt, children }: ChartProps & { children: ReactNode }) {
  return (
    // Where charts stand beside each other their parts share rows (overview); anywhere else they follow each other.
    <figure aria-label={label} className="row-span-3 grid grid-cols-[minmax(0,1fr)] grid-rows-subgrid">
      <figcaption aria-hidden="true" className="mb-3 flex flex-wrap content-start gap-x-4 gap-y-1 text-code text-muted">
        <span>{stepWords(points, openAt)}</span>
        {series.length > 1
          ? series.map(({ id, name }, index) => (
              <span className="flex items-center gap-1.5" key={id}>
                <SeriesMark index={index} />
                {name}
              </span>
            ))
          : null}
      </figcaption>
      <div aria-hidden="true" className="h-56">
        {children}
      </div>
      <details className="mt-2 text-code">
        <summary className="w-fit py-0.5 cursor-pointer text-muted hover:text-foreground">Figures as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard */}
        <section aria-label={`${label}, as a table`} className="mt-2 max-h-72 overflow-auto" tabIndex={0}>
          <FigureTable label={label} openAt={openAt} points={points} series={series} unit={unit} />
        </section>
      </details>
    </figure>
  );
}

function FigureTable({ label, unit, series, points, openAt }: ChartProps) {
  return (
    <table className="w-full tabular-nums">
      <caption className="sr-only">
        {label}, in {unit}
      </caption>
      <thead className="text-muted">
        <tr>
          <th className="py-1 pr-4 text-left font-medium" scope="col">
            Time (UTC)
          </th>
          {series.map(({ id, name }) => (
            <th className="py-1 pl-4 text-right font-medium" key={id} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map(({ at, values }) => (
          <tr className="border-separator border-t" key={at}>
            <th className="whitespace-nowrap py-1 pr-4 text-left font-normal" scope="row">
              {formatPoint(at)}
              {at === openAt ? <span className="text-muted"> {SO_FAR}</span> : null}
            </th>
            {series.map(({ id }) => (
              <td className="py-1 pl-4 text-right" key={id}>
                {formatNumber(values[id] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "Per day (UTC), today so far": the heading names the figure, so that this need not. */
function stepWords(points: ChartPoint[], openAt: string | undefined): string {
  const isHours = points[0]?.at.includes("T") ?? false;
  const step = isHours ? "Per hour (UTC)" : "Per day (UTC)";
  return openAt === undefined ? step : `${step}, ${isHours ? "this hour" : "today"} ${SO_FAR}`;
}
