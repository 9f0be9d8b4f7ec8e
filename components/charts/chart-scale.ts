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
