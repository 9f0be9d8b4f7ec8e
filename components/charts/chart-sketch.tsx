import type { ReactNode } from "react";
import {
  AREA_LOOK,
  BAR_LOOK,
  MARGIN,
  OPEN_AREA_LOOK,
  X_AXIS_HEIGHT,
  Y_AXIS_WIDTH,
} from "@/components/charts/chart-axes";
import type { ChartPoint, ChartProps } from "@/components/charts/chart-frame";
import { stackedMarks, volumeMarks } from "@/components/charts/chart-scale";
import { seriesColor } from "@/components/charts/series-mark";
import { TimeWords } from "@/components/charts/time-words";
import { formatCompact } from "@/components/ui/format-number";

export type SketchProps = Pick<ChartProps, "points" | "series" | "openAt">;

const PLACE = {
  top: MARGIN.top,
  right: MARGIN.right,
  bottom: MARGIN.bottom + X_AXIS_HEIGHT,
  left: MARGIN.left + Y_AXIS_WIDTH,
};

/** A volume chart as the server draws it: the same areas in the same place, of any width, without a script. */
export function VolumeSketch({ points, series, openAt }: SketchProps) {
  const marks = volumeMarks(points, series);
  const top = marks.at(-1) ?? 1;
  const over = points.at(-1)?.at === openAt ? points.length - 1 : points.length;
  return (
    <Sketch marks={marks} points={points}>
      <svg
        aria-hidden="true"
        className="absolute inset-0 size-full overflow-visible"
        preserveAspectRatio="none"
        viewBox={`0 0 ${Math.max(1, points.length - 1)} ${top}`}
      >
        {series.map(({ id }, index) => (
          <g fill={seriesColor(index)} key={id} stroke={seriesColor(index)}>
            <AreaSketch look={AREA_LOOK} points={points.slice(0, over)} seriesId={id} start={0} top={top} />
            {over < points.length ? (
              <AreaSketch look={OPEN_AREA_LOOK} points={points.slice(-2)} seriesId={id} start={over - 1} top={top} />
            ) : null}
          </g>
        ))}
      </svg>
    </Sketch>
  );
}

interface AreaSketchProps {
  points: ChartPoint[];
  seriesId: string;
  /** Of the first point on the axis of time, counted in steps. */
  start: number;
  top: number;
  look: typeof AREA_LOOK | typeof OPEN_AREA_LOOK;
}

function AreaSketch({ points, seriesId, start, top, look: { fillOpacity, ...line } }: AreaSketchProps) {
  if (points.length < 2) return null;
  const places = points.map(({ values }, index) => `${start + index},${top - (values[seriesId] ?? 0)}`);
  const [first, last] = [start, start + points.length - 1];
  return (
    <>
      <path d={`M${first},${top}L${places.join("L")}L${last},${top}Z`} fillOpacity={fillOpacity} stroke="none" />
      <path {...line} d={`M${places.join("L")}`} fill="none" vectorEffect="non-scaling-stroke" />
    </>
  );
}

/** A stacked chart as the server draws it. */
export function StackedSketch({ points, series, openAt }: SketchProps) {
  const marks = stackedMarks(points, series);
  const top = marks.at(-1) ?? 1;
  return (
    <Sketch isBars marks={marks} points={points}>
      <div className="absolute inset-0 flex justify-around">
        {points.map(({ at, values }) => (
          <div
            className="forced-color-adjust-none [print-color-adjust:exact]"
            key={at}
            style={{
              width: `${((1 - 2 * BAR_LOOK.gap) * 100) / points.length}%`,
              maxWidth: BAR_LOOK.maxBarSize,
              background: layers(values, series, top),
              opacity: at === openAt ? BAR_LOOK.openOpacity : undefined,
            }}
          />
        ))}
      </div>
    </Sketch>
  );
}

/** The layers of one bar from below, as one background. */
function layers(values: ChartPoint["values"], series: ChartProps["series"], top: number): string {
  let end = 0;
  const stops = series.map(({ id }, index) => {
    const start = end;
    end += ((values[id] ?? 0) / top) * 100;
    return `${seriesColor(index)} ${start}% ${end}%`;
  });
  return `linear-gradient(to top, ${[...stops, `transparent ${end}%`].join(", ")})`;
}

interface SketchFrameProps extends Pick<SketchProps, "points"> {
  marks: number[];
  /** Whether each point stands in the middle of its part of the width. */
  isBars?: boolean;
  children: ReactNode;
}

/** The lines across with their figures, the times below, and the place between the axes. */
function Sketch({ marks, points, isBars = false, children }: SketchFrameProps) {
  const top = marks.at(-1) ?? 1;
  return (
    <div className="absolute" style={PLACE}>
      {marks.map((mark) => (
        <div
          className="absolute inset-x-0 border-separator border-t"
          key={mark}
          style={{ bottom: `${(mark / top) * 100}%` }}
        >
          <span className="absolute right-full mr-3.5 -translate-y-1/2 text-[12px] text-muted leading-none">
            {formatCompact(mark)}
          </span>
        </div>
      ))}
      {children}
      <TimeWords isBars={isBars} points={points} />
    </div>
  );
}
