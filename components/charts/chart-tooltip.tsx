"use client";

import { type ChartSeries, SO_FAR } from "@/components/charts/chart-frame";
import { SeriesMark } from "@/components/charts/series-mark";
import { formatNumber } from "@/components/ui/format-number";
import { formatPoint } from "@/components/ui/format-time";

interface ChartTooltipProps {
  series: ChartSeries[];
  unit: string;
  /** See `ChartProps`. */
  openAt?: string | undefined;
  /** From recharts: whether the pointer is over a point, which, and its figures. */
  active?: boolean;
  label?: string | number;
  payload?: readonly { payload?: { values?: Record<string, number> } }[];
}

/** The figures of the point under the pointer, the whole numbers with their unit. */
export function ChartTooltip({ active, label, payload, series, unit, openAt }: ChartTooltipProps) {
  const values = payload?.[0]?.payload?.values;
  if (!active || !values || label === undefined) return null;
  const shown = series.map((entry, index) => ({ ...entry, index, value: values[entry.id] ?? 0 }));
  return (
    <div className="rounded-lg border border-border bg-overlay px-3 py-2 text-code shadow-overlay">
      <p className="mb-1 text-muted">
        {formatPoint(String(label))} UTC{label === openAt ? `, ${SO_FAR}` : ""}
      </p>
      {shown
        .filter(({ value }) => value > 0 || shown.length === 1)
        .map(({ id, name, index, value }) => (
          <p className="flex items-center gap-2 tabular-nums" key={id}>
            <SeriesMark index={index} />
            {shown.length > 1 ? <span className="mr-4">{name}</span> : null}
            <span className="ml-auto font-medium">
              {formatNumber(value)} {unit}
            </span>
          </p>
        ))}
    </div>
  );
}
