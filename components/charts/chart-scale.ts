import { MARGIN, X_TICK_GAP, Y_AXIS_WIDTH } from "@/components/charts/chart-axes";
import type { ChartPoint, ChartSeries } from "@/components/charts/chart-frame";

/** Into how many steps the largest figure is divided, at most. */
const MOST_STEPS = 4;
const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/**
 * The marks of the upright axis: from 0 in equal, round, whole steps up to what holds the largest figure. The server's
 * sketch and the browser's drawing take the same ones, so that nothing moves between them.
 */
export function axisMarks(largest: number): number[] {
  const least = Math.max(1, largest / MOST_STEPS);
  const power = 10 ** Math.floor(Math.log10(least));
  const step =
    ROUND_STEPS.map((round) => round * power).find((size) => size >= least && Number.isInteger(size)) ?? least;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step);
}

/** The marks of series that lie one over another. */
export function volumeMarks(points: readonly ChartPoint[], series: readonly ChartSeries[]): number[] {
  return axisMarks(Math.max(0, ...points.flatMap(({ values }) => series.map(({ id }) => values[id] ?? 0))));
}

/** The marks of series that stand one on another. */
export function stackedMarks(points: readonly ChartPoint[], series: readonly ChartSeries[]): number[] {
  const sums = points.map(({ values }) => series.reduce((sum, { id }) => sum + (values[id] ?? 0), 0));
  return axisMarks(Math.max(0, ...sums));
}

/** How wide the words below a drawing get, in pixels: "30 Nov", and "30 Nov, 14:00". */
const DAY_WIDTH = 44;
const HOUR_WIDTH = 84;

/** A point with a word below it. */
export interface TimeMark {
  at: string;
  /** Its word ends at the right edge: below its point it would reach over it. */
  isAtEdge: boolean;
}

/**
 * The points with a word below them in a chart of that width (pixels): equal steps back from the last one, which is what is looked
 * for first, as close as their words have room. The drawing would else measure the words of all points, 366 for a year, and leave out
 * some of them here and there.
 * @param isBars whether each point stands in the middle of its part of the width
 */
export function timeMarks(points: readonly ChartPoint[], width: number, isBars = false): TimeMark[] {
  const word = points[0]?.at.includes("T") ? HOUR_WIDTH : DAY_WIDTH;
  const drawing = width - MARGIN.left - Y_AXIS_WIDTH - MARGIN.right;
  if (drawing < word) return [];
  const last = points.length - 1;
  const apart = drawing / Math.max(1, isBars ? points.length : last);
  const isAlone = points.length === 1;
  /** How far the last word has to move to the left. */
  const over = isAlone ? 0 : Math.max(0, word / 2 - MARGIN.right - (isBars ? apart / 2 : 0));
  // Half of the free room is enough before the one that moves.
  const step = Math.ceil((word + Math.max(X_TICK_GAP, X_TICK_GAP / 2 + over)) / apart);
  return points.flatMap(({ at }, index) =>
    (last - index) % step === 0 ? [{ at, isAtEdge: index === last && over > 0 }] : [],
  );
}
