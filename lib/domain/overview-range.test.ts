import { describe, expect, it } from "vitest";
import { OVERVIEW_RANGES, overviewBuckets } from "@/lib/domain/overview-range";

const NOW = new Date("2026-03-01T00:30:00.000Z");

describe("overviewBuckets", () => {
  it("are 24 hours up to the one that runs", () => {
    const { unit, starts } = overviewBuckets("24h", NOW);
    expect(unit).toBe("hour");
    expect(starts).toHaveLength(24);
    expect(starts[0]?.toISOString()).toBe("2026-02-28T01:00:00.000Z");
    expect(starts.at(-1)?.toISOString()).toBe("2026-03-01T00:00:00.000Z");
  });

  it("are days (UTC) up to today, over the ends of months", () => {
    const { unit, starts } = overviewBuckets("7d", NOW);
    expect(unit).toBe("day");
    expect(starts.map((at) => at.toISOString().slice(5, 10))).toEqual(
      ["02-23", "02-24", "02-25", "02-26", "02-27", "02-28", "03-01"], // 2026 has no 29 February
    );
  });

  it("rise by the same step and hold now in the last one", () => {
    for (const range of OVERVIEW_RANGES) {
      const { unit, starts } = overviewBuckets(range, NOW);
      const step = unit === "hour" ? 3_600_000 : 86_400_000;
      for (const [index, start] of starts.slice(1).entries()) expect(+start - +(starts[index] ?? 0)).toBe(step);
      const last = Number(starts.at(-1));
      expect(last <= +NOW && +NOW < last + step).toBe(true);
    }
  });
});
