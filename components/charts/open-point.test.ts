import { describe, expect, it } from "vitest";
import { findOpenPoint } from "@/components/charts/open-point";

const NOW = new Date("2026-03-10T14:30:00.000Z");
const CASES: [says: string, points: string[], open: string | undefined][] = [
  ["today", ["2026-03-09", "2026-03-10"], "2026-03-10"],
  ["nothing of days that are over", ["2026-03-08", "2026-03-09"], undefined],
  ["the present hour", ["2026-03-10T13:00:00.000Z", "2026-03-10T14:00:00.000Z"], "2026-03-10T14:00:00.000Z"],
  ["nothing of hours that are over", ["2026-03-10T13:00:00.000Z"], undefined],
  ["nothing of no points", [], undefined],
];

describe("findOpenPoint", () => {
  it.each(CASES)("finds %s", (_, points, open) => {
    const found = findOpenPoint(
      points.map((at) => ({ at })),
      NOW,
    );
    expect(found).toBe(open);
  });
});
