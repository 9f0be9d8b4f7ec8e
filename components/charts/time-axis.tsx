import { useChartWidth, XAxis } from "recharts";
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
  return (
    <XAxis
      {...AXIS_LOOK}
      dataKey="at"
      height={X_AXIS_HEIGHT}
      interval={0}
      tickFormatter={formatPoint}
      ticks={timeMarks(points, roomOf(width), isBars)}
    />
  );
}
