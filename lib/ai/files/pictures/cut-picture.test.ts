import { describe, expect, it } from "vitest";
import { cutPicture } from "@/lib/ai/files/pictures/cut-picture";

describe("cutPicture", () => {
  it.each([
    ["a phone's screen", 1_080, 2_400],
    ["a photo", 8_000, 6_000],
    ["a long one that is seen as it is", 300, 2_048],
    ["one that is three times as broad", 6_000, 2_000],
  ])("leaves whole %s", (_what, width, height) => {
    expect(cutPicture({ width, height }, 20)).toEqual([]);
  });

  it("leaves whole what there is room for once", () => {
    expect(cutPicture({ width: 1_080, height: 8_000 }, 1)).toEqual([]);
  });

  it("cuts what is high from top to bottom, and what is broad from left to right", () => {
    const high = cutPicture({ width: 1_000, height: 5_800 }, 20);
    expect(high.map(({ part }) => part)).toEqual([
      { x: 0, y: 0, width: 1_000, height: 2_000 },
      { x: 0, y: 1_900, width: 1_000, height: 2_000 },
      { x: 0, y: 3_800, width: 1_000, height: 2_000 },
    ]);
    expect(high.map(({ width, height }) => [width, height])).toEqual(Array(3).fill([1_000, 2_000]));
    const broad = cutPicture({ width: 16_000, height: 3_000 }, 20);
    expect(broad.map(({ part }) => [part.x, part.y, part.height])).toEqual([
      [0, 0, 3_000],
      [5_233, 0, 3_000],
      [10_467, 0, 3_000],
    ]);
    // Larger than a model looks at.
    expect(broad.map(({ width, height }) => [width, height])).toEqual(
      Array(3).fill([4_096, expect.closeTo(2_222, -1)]),
    );
  });

  it.each([
    [1_080, 8_000, 20],
    [1_242, 33_333, 20],
    [700, 65_000, 20],
    [20, 5_000, 20],
    [9_001, 2_999, 2],
    [1_080, 8_000, 3],
  ])("shows all of %d × %d, and twice what lies at a cut, in %d at most", (width, height, most) => {
    const isHigh = height > width;
    const spans = cutPicture({ width, height }, most).map(({ part }) =>
      isHigh ? [part.y, part.y + part.height] : [part.x, part.x + part.width],
    ) as [number, number][];
    expect(spans.length).toBeGreaterThan(1);
    expect(spans.length).toBeLessThanOrEqual(most);
    expect([spans[0]?.[0], spans.at(-1)?.[1]]).toEqual([0, Math.max(width, height)]);
    const overlaps = spans.slice(1).map(([start], index) => (spans[index]?.[1] ?? 0) - start);
    for (const overlap of overlaps) expect(overlap).toBeGreaterThanOrEqual(64);
    const lengths = spans.map(([start, end]) => end - start);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });
});
