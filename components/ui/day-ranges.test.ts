import { afterEach, describe, expect, it, vi } from "vitest";
import { dayRanges } from "@/components/ui/day-ranges";

const spans = (now: string) =>
  Object.fromEntries(dayRanges(new Date(now)).map(({ name, from, to }) => [name, [from, to]]));

describe("the ranges of a date filter", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("are days of UTC over the ends of months and years, without an end where they go on", () => {
    expect(spans("2028-03-01T00:30:00Z")).toEqual({
      Today: ["2028-03-01", null],
      Yesterday: ["2028-02-29", "2028-02-29"],
      "Last 7 days": ["2028-02-24", null],
      "Last 30 days": ["2028-02-01", null],
      "This month": ["2028-03-01", null],
      "Last month": ["2028-02-01", "2028-02-29"],
    });
    expect(spans("2026-01-31T23:59:59Z")).toMatchObject({
      "This month": ["2026-01-01", null],
      "Last month": ["2025-12-01", "2025-12-31"],
    });
  });

  it.each([
    ["America/Los_Angeles", "2026-03-01T00:30:00Z", "2026-03-01"],
    ["Pacific/Auckland", "2026-02-28T23:30:00Z", "2026-02-01"],
  ])("are those of UTC for a reader in %s, whose month is another", (zone, now, first) => {
    vi.stubEnv("TZ", zone);
    expect(spans(now)["This month"]).toEqual([first, null]);
  });
});
