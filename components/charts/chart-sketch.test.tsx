import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { StackedSketch, VolumeSketch } from "@/components/charts/chart-sketch";

const points = Array.from({ length: 7 }, (_, index) => ({ at: `2026-03-0${index + 1}`, values: { read: index } }));
const series = [{ id: "read", name: "Read" }];

/** The words below, and how far from the left they stand, where the chart is from so many pixels wide. */
const wordsFrom = (width: number, markup: string) => {
  const row = new RegExp(`@min-\\[${width}px\\][^>]*>(.*?)</div>`).exec(markup)?.[1] ?? "";
  return [...row.matchAll(/(?:left:([\d.]+)%|right:-4px;translate:none)">([^<]+)</g)].map(([, left, word]) => [
    left === undefined ? "edge" : Math.round(Number(left)),
    word,
  ]);
};

describe("a chart that is seen, or printed, before it was drawn", () => {
  it("says below itself when its points were, with as many words as it has room for", () => {
    const volume = renderToStaticMarkup(<VolumeSketch points={points} series={series} />);
    expect(wordsFrom(280, volume)).toEqual([
      [0, "1 Mar"],
      [50, "4 Mar"],
      ["edge", "7 Mar"],
    ]);
    expect(wordsFrom(600, volume)).toHaveLength(7);
    expect(wordsFrom(350, renderToStaticMarkup(<StackedSketch points={points} series={series} />))).toEqual([
      [7, "1 Mar"],
      [36, "3 Mar"],
      [64, "5 Mar"],
      [93, "7 Mar"],
    ]);
  });

  it("keeps its bars, which are backgrounds", () => {
    const markup = renderToStaticMarkup(<StackedSketch points={points} series={series} />);
    expect(markup.match(/print-color-adjust:exact/g)).toHaveLength(points.length);
  });
});
