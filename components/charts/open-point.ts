import type { ChartPoint } from "@/components/charts/chart-frame";

/**
 * The point whose day or hour (UTC) is not over yet, by its `at`: its figures still grow, and drawn like the others they
 * look like a fall. Undefined: all are over.
 */
export function findOpenPoint(points: readonly Pick<ChartPoint, "at">[], now = new Date()): string | undefined {
  const last = points.at(-1)?.at;
  if (last === undefined) return undefined;
  const unit = last.includes("T") ? "YYYY-MM-DDTHH".length : "YYYY-MM-DD".length;
  return last.slice(0, unit) === now.toISOString().slice(0, unit) ? last : undefined;
}
