import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, YAxis } from "recharts";
import { AREA_LOOK, AXIS_LOOK, GRID_LOOK, MARGIN, OPEN_AREA_LOOK, Y_AXIS_WIDTH } from "@/components/charts/chart-axes";
import type { ChartPoint, DrawingProps } from "@/components/charts/chart-frame";
import { volumeMarks } from "@/components/charts/chart-scale";
import { ChartTooltip } from "@/components/charts/chart-tooltip";
import { seriesColor } from "@/components/charts/series-mark";
import { TimeAxis } from "@/components/charts/time-axis";
import { formatCompact } from "@/components/ui/format-number";

interface DrawnPoint extends ChartPoint {
  isOver: boolean;
  /** Not over, or the last one before: between both the line is dashed. */
  isOpen: boolean;
}

const PARTS = [
  { part: "isOver", ...AREA_LOOK },
  { part: "isOpen", ...OPEN_AREA_LOOK },
] as const;

/** The areas of a volume chart with axes and a tooltip. */
export function VolumeDrawing({ points, series, unit, openAt, size }: DrawingProps) {
  const marks = volumeMarks(points, series);
  const data = points.map((point, index) => {
    const isOpen = point.at === openAt;
    const next = points[index + 1];
    return { ...point, isOver: !isOpen, isOpen: isOpen || (next !== undefined && next.at === openAt) };
  });
  // A single point has no line to be seen by.
  const dot = points.length === 1 && { fillOpacity: 1, r: 4, strokeDasharray: "none" };
  return (
    <ResponsiveContainer height="100%" initialDimension={size} width="100%">
      <AreaChart accessibilityLayer={false} data={data} margin={MARGIN}>
        <CartesianGrid {...GRID_LOOK} />
        <TimeAxis points={points} />
        <YAxis
          {...AXIS_LOOK}
          domain={[0, marks.at(-1) ?? 1]}
          tickFormatter={formatCompact}
          ticks={marks}
          width={Y_AXIS_WIDTH}
        />
        <Tooltip
          content={<ChartTooltip openAt={openAt} series={series} unit={unit} />}
          cursor={{ stroke: "var(--border)" }}
          isAnimationActive={false}
        />
        {series.flatMap(({ id, name }, index) =>
          PARTS.map(({ part, ...look }) => (
            <Area
              {...look}
              dot={dot}
              dataKey={(point: DrawnPoint) => (point[part] ? (point.values[id] ?? 0) : null)}
              fill={seriesColor(index)}
              isAnimationActive={false}
              key={`${id} ${part}`}
              name={name}
              stroke={seriesColor(index)}
              type="linear"
            />
          )),
        )}
      </AreaChart>
    </ResponsiveContainer>
  );
}
