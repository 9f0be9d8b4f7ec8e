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

/**
 * The points with a word below them in a chart of that width (pixels): equal steps from the first on, as close as their words have
 * room. The drawing would else measure the words of all points, 366 for a year, and leave out some of them here and there.
 * @param isBars whether each point stands in the middle of its part of the width, the last one too: it has room for its word then
 */
export function timeMarks(points: readonly ChartPoint[], width: number, isBars = false): string[] {
  const word = points[0]?.at.includes("T") ? HOUR_WIDTH : DAY_WIDTH;
  const drawing = Math.max(1, width - MARGIN.left - Y_AXIS_WIDTH - MARGIN.right);
  const apart = drawing / Math.max(1, isBars ? points.length : points.length - 1);
  const step = Math.max(1, Math.ceil((word + X_TICK_GAP) / apart));
  const last = points.length === 1 ? 0 : (drawing + MARGIN.right - word / 2) / apart - (isBars ? 0.5 : 0);
  return points.filter((_, index) => index % step === 0 && index <= last).map(({ at }) => at);
}
