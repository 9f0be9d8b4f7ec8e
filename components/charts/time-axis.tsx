import { Text, useChartWidth, XAxis, type XAxisTickContentProps } from "recharts";
import { AXIS_LOOK, X_AXIS_HEIGHT } from "@/components/charts/chart-axes";
import type { ChartPoint } from "@/components/charts/chart-frame";
import { roomOf } from "@/components/charts/chart-rooms";
import { timeMarks } from "@/components/charts/chart-scale";
import { formatPoint } from "@/components/ui/format-time";

interface TimeAxisProps {
  points: readonly ChartPoint[];
  /** Of bars, which stand in the middle of their parts of the width. */
  isBars?: boolean;
}

/** The axis below a drawing, with words as its width has room for. */
export function TimeAxis({ points, isBars }: TimeAxisProps) {
  const width = useChartWidth() ?? 0;
  const marks = timeMarks(points, roomOf(width), isBars);
  const edge = marks.find(({ isAtEdge }) => isAtEdge)?.at;
  const word = ({ payload, ...tick }: XAxisTickContentProps) => (
    <Text {...tick} {...AXIS_LOOK.tick} {...(payload.value === edge && { textAnchor: "end", x: width })}>
      {formatPoint(payload.value)}
    </Text>
  );
  return (
    <XAxis
      {...AXIS_LOOK}
      dataKey="at"
      height={X_AXIS_HEIGHT}
      interval={0}
      tick={word}
      ticks={marks.map(({ at }) => at)}
    />
  );
}
