import { describe, expect, it } from "vitest";
import type { ChartPoint } from "@/components/charts/chart-frame";
import { axisMarks, stackedMarks, timeMarks, volumeMarks } from "@/components/charts/chart-scale";

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

describe("marks of time", () => {
  const points = (count: number, hours: number): ChartPoint[] =>
    Array.from({ length: count }, (_, index) => {
      const at = new Date(Date.UTC(2026, 0, 1, index * hours)).toISOString();
      return { at: hours < 24 ? at : at.slice(0, 10), values: {} };
    });
  const marks = (count: number, hours: number, width: number, isBars = false) => {
    const all = points(count, hours);
    return timeMarks(all, width, isBars).map(({ at, isAtEdge }) => ({
      index: all.findIndex((point) => point.at === at),
      isAtEdge,
    }));
  };
  const places = (...chart: Parameters<typeof marks>) => marks(...chart).map(({ index }) => index);

  it.each([
    [0, 24, 600, []],
    [1, 24, 600, [0]],
    [3, 24, 600, [0, 1, 2]],
    [7, 24, 330, [0, 2, 4, 6]],
    [30, 24, 330, [2, 11, 20, 29]],
    [30, 24, 560, [4, 9, 14, 19, 24, 29]],
    [24, 1, 560, [2, 9, 16, 23]],
    [30, 24, 0, []],
  ])("of %d points of %d h on %d pixels are equal steps apart, up to the last", (count, hours, width, expected) => {
    expect(places(count, hours, width)).toEqual(expected);
  });

  it.each([
    [2, 24, 330, [0, 1]],
    [7, 24, 600, [0, 1, 2, 3, 4, 5, 6]],
    [7, 24, 330, [0, 2, 4, 6]],
  ])("below %d bars of %d h on %d pixels have the room of the last one's half", (count, hours, width, expected) => {
    expect(places(count, hours, width, true)).toEqual(expected);
  });

  it.each([
    [330, false],
    [560, false],
    [1_200, false],
    [330, true],
    [560, true],
  ])("never reach over each other or over the right edge, on %d pixels, bars: %s", (width, isBars) => {
    for (const [hours, word] of [
      [24, 44],
      [1, 84],
    ] as const) {
      for (let count = 2; count <= 366; count += 1) {
        const apart = (width - 48) / (isBars ? count : count - 1);
        const centres = marks(count, hours, width, isBars).map(({ index, isAtEdge }) =>
          isAtEdge ? width - 44 - word / 2 : (index + (isBars ? 0.5 : 0)) * apart,
        );
        const rooms = centres.slice(1).map((centre, index) => centre - (centres[index] as number));
        const last = rooms.splice(-1);
        expect(Math.min(...rooms, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(word + 31.99);
        expect(Math.min(...last, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(word + 15.99);
        expect(centres.at(-1)).toBeLessThanOrEqual(width - 44 - word / 2);
      }
    }
  });
});
