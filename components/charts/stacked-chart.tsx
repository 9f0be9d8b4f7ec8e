"use client";

import {
  Bar,
  BarChart,
  type BarShapeProps,
  CartesianGrid,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { AXIS_LOOK, FIRST_SIZE, GRID_LOOK } from "@/components/charts/chart-axes";
import { ChartFrame, type ChartProps, formatPoint, seriesColor } from "@/components/charts/chart-frame";
import { ChartTooltip } from "@/components/charts/chart-tooltip";
import { formatCompact } from "@/components/ui/format-number";

const OPEN_OPACITY = 0.5;

/** Of what a whole is made over time: bars in layers, such as tokens by endpoint. */
export function StackedChart(props: ChartProps) {
  const { points, series, unit, openAt } = props;
  return (
    <ChartFrame {...props}>
      <ResponsiveContainer height="100%" initialDimension={FIRST_SIZE} width="100%">
        <BarChart
          accessibilityLayer={false}
          barCategoryGap="24%"
          data={points}
          margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
        >
          <CartesianGrid {...GRID_LOOK} />
          <XAxis {...AXIS_LOOK} dataKey="at" minTickGap={32} tickFormatter={formatPoint} />
          <YAxis {...AXIS_LOOK} allowDecimals={false} tickFormatter={formatCompact} width={44} />
          <Tooltip
            content={<ChartTooltip openAt={openAt} series={series} unit={unit} />}
            cursor={{ fill: "var(--default)", fillOpacity: 0.5 }}
            isAnimationActive={false}
          />
          {series.map(({ id, name }, index) => (
            <Bar
              dataKey={({ values }: ChartProps["points"][number]) => values[id] ?? 0}
              fill={seriesColor(index)}
              isAnimationActive={false}
              key={id}
              maxBarSize={28}
              name={name}
              shape={(bar: BarShapeProps) => (
                <Rectangle {...bar} fillOpacity={bar.payload.at === openAt ? OPEN_OPACITY : 1} />
              )}
              stackId="whole"
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
