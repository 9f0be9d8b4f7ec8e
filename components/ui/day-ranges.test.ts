import { describe, expect, it } from "vitest";
import { dayRanges } from "@/components/ui/day-ranges";

const spans = (today: string) => Object.fromEntries(dayRanges(today).map(({ name, from, to }) => [name, [from, to]]));

describe("the ranges of a date filter", () => {
  it("are days over the ends of months and years, without an end where they go on", () => {
    expect(spans("2028-03-01")).toEqual({
      Today: ["2028-03-01", null],
      Yesterday: ["2028-02-29", "2028-02-29"],
      "Last 7 days": ["2028-02-24", null],
      "Last 30 days": ["2028-02-01", null],
      "This month": ["2028-03-01", null],
      "Last month": ["2028-02-01", "2028-02-29"],
    });
    expect(spans("2026-01-31")).toMatchObject({
      "This month": ["2026-01-01", null],
      "Last month": ["2025-12-01", "2025-12-31"],
    });
  });
});
