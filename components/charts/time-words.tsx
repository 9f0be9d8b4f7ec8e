import { MARGIN } from "@/components/charts/chart-axes";
import type { ChartPoint } from "@/components/charts/chart-frame";
import { ROOMS } from "@/components/charts/chart-rooms";
import { timeMarks } from "@/components/charts/chart-scale";
import { formatPoint } from "@/components/ui/format-time";

interface TimeWordsProps {
  points: ChartPoint[];
  /** Whether each point stands in the middle of its part of the width. */
  isBars: boolean;
}

/** The times below a sketch, as many as its width has room for, on paper too. Stands in a container of the chart's width. */
export function TimeWords({ points, isBars }: TimeWordsProps) {
  const steps = Math.max(1, isBars ? points.length : points.length - 1);
  const lefts = new Map(points.map(({ at }, index) => [at, ((index + (isBars ? 0.5 : 0)) / steps) * 100]));
  return ROOMS.map(({ width, className }) => (
    <div
      className={`absolute inset-x-0 top-full mt-3 hidden whitespace-nowrap text-[12px] text-muted leading-none [&>span]:absolute [&>span]:-translate-x-1/2 ${className}`}
      key={width}
    >
      {timeMarks(points, width, isBars).map(({ at, isAtEdge }) => (
        <span
          key={at}
          style={
            isAtEdge ? { right: -MARGIN.right, translate: "none" } : { left: `${Number(lefts.get(at)?.toFixed(2))}%` }
          }
        >
          {formatPoint(at)}
        </span>
      ))}
    </div>
  ));
}
