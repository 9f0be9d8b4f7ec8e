import { useId } from "react";
import {
  Bar,
  BarChart,
  type BarShapeProps,
  CartesianGrid,
  Rectangle,
  ResponsiveContainer,
  Tooltip,
  YAxis,
} from "recharts";
import { AXIS_LOOK, BAR_LOOK, GRID_LOOK, MARGIN, Y_AXIS_WIDTH } from "@/components/charts/chart-axes";
import type { ChartPoint, DrawingProps } from "@/components/charts/chart-frame";
import { stackedMarks } from "@/components/charts/chart-scale";
import { ChartTooltip } from "@/components/charts/chart-tooltip";
import { hatchStyle, SeriesHatches, seriesColor } from "@/components/charts/series-mark";
import { TimeAxis } from "@/components/charts/time-axis";
import { formatCompact } from "@/components/ui/format-number";

/** The bars of a stacked chart with axes and a tooltip. */
export function StackedDrawing({ points, series, unit, openAt, size }: DrawingProps) {
  const marks = stackedMarks(points, series);
  const id = useId();
  const hatchId = (index: number) => `${id}-${index}`;
  return (
    <ResponsiveContainer height="100%" initialDimension={size} width="100%">
      <BarChart accessibilityLayer={false} barCategoryGap={`${BAR_LOOK.gap * 100}%`} data={points} margin={MARGIN}>
        <SeriesHatches count={series.length} idOf={hatchId} />
        <CartesianGrid {...GRID_LOOK} />
        <TimeAxis isBars points={points} />
        <YAxis
          {...AXIS_LOOK}
          domain={[0, marks.at(-1) ?? 1]}
          tickFormatter={formatCompact}
          ticks={marks}
          width={Y_AXIS_WIDTH}
        />
        <Tooltip
          content={<ChartTooltip openAt={openAt} series={series} unit={unit} />}
          cursor={{ fill: "var(--default)", fillOpacity: 0.5 }}
          isAnimationActive={false}
        />
        {series.map(({ id, name }, index) => (
          <Bar
            dataKey={({ values }: ChartPoint) => values[id] ?? 0}
            fill={seriesColor(index)}
            isAnimationActive={false}
            key={id}
            maxBarSize={BAR_LOOK.maxBarSize}
            name={name}
            shape={(bar: BarShapeProps) => (
              <Rectangle
                {...bar}
                fillOpacity={bar.payload.at === openAt ? BAR_LOOK.openOpacity : 1}
                style={hatchStyle(index, hatchId)}
              />
            )}
            stackId="whole"
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
