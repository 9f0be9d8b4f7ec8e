import { afterEach, describe, expect, it, vi } from "vitest";
import {
  formatDeadline,
  formatExact,
  formatMoment,
  formatMonth,
  formatPoint,
  formatRelative,
} from "@/components/ui/format-time";

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);
const HOUR = 3_600_000;

const CASES: [fromNowMs: number, words: string][] = [
  [0, "just now"],
  [-9_999, "just now"],
  [-59_000, "59 s ago"],
  [-60_000, "1 min ago"],
  [-HOUR + 1, "59 min ago"],
  [-23 * HOUR, "23 h ago"],
  [-24 * HOUR, "1 day ago"],
  [-6 * 24 * HOUR, "6 days ago"],
  [-7 * 24 * HOUR, "13 Nov 2026"],
  [14_999, "just now"],
  [15_000, "in 15 s"],
  [2 * HOUR, "in 2 h"],
  [48 * HOUR, "in 2 days"],
];

describe("formatRelative", () => {
  it.each(CASES)("%d ms from now is %s", (fromNowMs, words) => {
    expect(formatRelative(new Date(NOW + fromNowMs), NOW, "UTC")).toBe(words);
  });

  it("names the day of the reader's zone, as the exact time does", () => {
    const late = new Date(Date.UTC(2026, 10, 1, 23, 30));
    expect([formatRelative(late, NOW, "UTC"), formatRelative(late, NOW, "Europe/Berlin")]).toEqual([
      "1 Nov 2026",
      "2 Nov 2026",
    ]);
  });
});

describe("formatMoment", () => {
  it.each(CASES.filter(([fromNowMs]) => fromNowMs > -7 * 24 * HOUR))(
    "%d ms from now is %s, too",
    (fromNowMs, words) => {
      expect(formatMoment(new Date(NOW + fromNowMs), NOW, "UTC")).toBe(words);
    },
  );

  it("has the time of day beside a date, and the year of another one, in the reader's zone", () => {
    const weekAgo = new Date(NOW - 7 * 24 * HOUR);
    expect(formatMoment(weekAgo, NOW, "UTC")).toBe("13 Nov, 12:00");
    expect(formatMoment(weekAgo, NOW, "Asia/Kolkata")).toBe("13 Nov, 17:30");
    const newYear = new Date(Date.UTC(2025, 11, 31, 23, 30));
    expect(formatMoment(newYear, NOW, "UTC")).toBe("31 Dec 2025, 23:30");
    expect(formatMoment(newYear, NOW, "Europe/Berlin")).toBe("1 Jan, 00:30");
  });
});

const DEADLINES: [fromNowMs: number, words: string][] = [
  [5_000, "now"],
  [30 * 60_000, "in 30 min"],
  [24 * HOUR, "in 24 h"],
  [48 * HOUR - 1, "in 47 h"],
  [72 * HOUR - 1, "in 71 h"],
  [72 * HOUR, "in 3 days"],
  [-30 * HOUR, "30 h ago"],
  [-4 * 24 * HOUR, "4 days ago"],
];

describe("formatDeadline", () => {
  it.each(DEADLINES)("a deadline %d ms from now is %s", (fromNowMs, words) => {
    expect(formatDeadline(new Date(NOW + fromNowMs), NOW)).toBe(words);
  });
});

describe("formatExact", () => {
  it("says the same moment in the zone that it is asked for", () => {
    expect(formatExact(new Date(NOW), "UTC")).toBe("20 Nov 2026, 12:00:00");
    expect(formatExact(new Date(NOW), "Asia/Kolkata")).toBe("20 Nov 2026, 17:30:00");
  });
});

describe("a point of a chart", () => {
  it("is a day, or an hour of it, of UTC", () => {
    expect([formatPoint("2026-11-20"), formatPoint("2026-11-20T23:00:00.000Z")]).toEqual(["20 Nov", "20 Nov, 23:00"]);
  });
});

describe("a month", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(["America/Los_Angeles", "Pacific/Auckland"])("is the same for a reader in %s", (zone) => {
    vi.stubEnv("TZ", zone);
    expect([formatMonth("2026-11"), formatMonth("2026-01")]).toEqual(["November 2026", "January 2026"]);
  });
});

describe("what is no time", () => {
  it("is said to be none, and breaks no page", () => {
    expect(formatExact(new Date("soon"), "UTC")).toBe("Invalid Date, Invalid Date");
  });
});
