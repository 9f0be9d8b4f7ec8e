"use client";

import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { AXIS_LOOK, FIRST_SIZE, GRID_LOOK } from "@/components/charts/chart-axes";
import {
  ChartFrame,
  type ChartPoint,
  type ChartProps,
  formatPoint,
  seriesColor,
} from "@/components/charts/chart-frame";
import { ChartTooltip } from "@/components/charts/chart-tooltip";
import { formatCompact } from "@/components/ui/format-number";

interface DrawnPoint extends ChartPoint {
  isOver: boolean;
  /** Not over, or the last one before: between both the line is dashed. */
  isOpen: boolean;
}

const PARTS = [
  { part: "isOver", fillOpacity: 0.14, strokeDasharray: undefined },
  { part: "isOpen", fillOpacity: 0.05, strokeDasharray: "3 3" },
] as const;

/** How much over time: an area per series, one over another. The server draws it, the browser fits it to its width. */
export function VolumeChart(props: ChartProps) {
  const { points, series, unit, openAt } = props;
  const data = points.map((point, index) => {
    const isOpen = point.at === openAt;
    return { ...point, isOver: !isOpen, isOpen: isOpen || points[index + 1]?.at === openAt };
  });
  return (
    <ChartFrame {...props}>
      <ResponsiveContainer height="100%" initialDimension={FIRST_SIZE} width="100%">
        <AreaChart accessibilityLayer={false} data={data} margin={{ top: 4, right: 4, bottom: 0, left: 0 }}>
          <CartesianGrid {...GRID_LOOK} />
          <XAxis {...AXIS_LOOK} dataKey="at" minTickGap={32} tickFormatter={formatPoint} />
          <YAxis {...AXIS_LOOK} allowDecimals={false} tickFormatter={formatCompact} width={44} />
          <Tooltip
            content={<ChartTooltip openAt={openAt} series={series} unit={unit} />}
            cursor={{ stroke: "var(--border)" }}
            isAnimationActive={false}
          />
          {series.flatMap(({ id, name }, index) =>
            PARTS.map(({ part, ...look }) => (
              <Area
                {...look}
                dataKey={(point: DrawnPoint) => (point[part] ? (point.values[id] ?? 0) : null)}
                fill={seriesColor(index)}
                isAnimationActive={false}
                key={`${id} ${part}`}
                name={name}
                stroke={seriesColor(index)}
                strokeWidth={1.5}
                type="monotone"
              />
            )),
          )}
        </AreaChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
