import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { StackedSketch, VolumeSketch } from "@/components/charts/chart-sketch";

const points = Array.from({ length: 7 }, (_, index) => ({ at: `2026-03-0${index + 1}`, values: { read: index } }));
const series = [{ id: "read", name: "Read" }];

/** The words that paper alone shows, and how far from the left they stand. */
const paperWords = (markup: string) =>
  [...markup.matchAll(/<span class="[^"]*\bhidden [^"]*\bprint:block" style="left:([\d.]+)%">([^<]+)</g)].map(
    ([, left, word]) => [Math.round(Number(left)), word],
  );

describe("a chart that is printed before it was drawn", () => {
  it("says below itself when its points were", () => {
    expect(paperWords(renderToStaticMarkup(<VolumeSketch points={points} series={series} />))).toEqual([
      [0, "1 Mar"],
      [33, "3 Mar"],
      [67, "5 Mar"],
    ]);
    expect(paperWords(renderToStaticMarkup(<StackedSketch points={points} series={series} />))).toEqual([
      [7, "1 Mar"],
      [50, "4 Mar"],
      [93, "7 Mar"],
    ]);
  });

  it("keeps its bars, which are backgrounds", () => {
    const markup = renderToStaticMarkup(<StackedSketch points={points} series={series} />);
    expect(markup.match(/print-color-adjust:exact/g)).toHaveLength(points.length);
  });
});
