import { describe, expect, it } from "vitest";
import type { ChartPoint } from "@/components/charts/chart-frame";
import { axisMarks, stackedMarks, volumeMarks } from "@/components/charts/chart-scale";

const SERIES = [
  { id: "read", name: "Read" },
  { id: "written", name: "Written" },
];
const POINTS: ChartPoint[] = [
  { at: "2026-03-09", values: { read: 30, written: 10 } },
  { at: "2026-03-10", values: { read: 5 } },
];

describe("axisMarks", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [9, [0, 5, 10]],
    [96, [0, 25, 50, 75, 100]],
    [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
  ])("divides %d into round, whole steps that hold it", (largest, marks) => {
    expect(axisMarks(largest)).toEqual(marks);
  });

  it("holds every figure in at most five marks", () => {
    for (let figure = 0; figure < 5_000; figure += 7) {
      const marks = axisMarks(figure);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(figure);
      expect(marks.length).toBeLessThanOrEqual(5);
    }
  });
});

describe("marks of points", () => {
  it("hold the largest figure where series lie one over another", () => {
    expect(volumeMarks(POINTS, SERIES).at(-1)).toBe(30);
  });

  it("hold the largest sum where series stand one on another", () => {
    expect(stackedMarks(POINTS, SERIES).at(-1)).toBe(40);
  });

  it("begin at 0 where nothing is to be drawn", () => {
    expect(volumeMarks([], [])).toEqual([0, 1]);
    expect(stackedMarks([], SERIES)).toEqual([0, 1]);
  });
});
