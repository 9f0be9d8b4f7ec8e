import { describe, expect, it } from "vitest";
import { addDays, dateOf, daysOf, isDate, monthOf, monthsOf, usagePeriod } from "@/lib/domain/usage-period";

const NOON = new Date("2026-03-01T12:00:00.000Z");

describe("isDate", () => {
  it.each(["2026-01-31", "2024-02-29", "2000-01-01", "9999-12-31"])("takes %s", (text) => {
    expect(isDate(text)).toBe(true);
  });

  it.each([
    "2026-02-29",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "0000-01-01",
    "1999-12-31",
    "20260131",
    "2026-01-31T00:00:00Z",
    " 2026-01-31",
    "2026-01-31\n",
    "+002026-01-31",
    "today",
    "",
  ])("refuses %j", (text) => {
    expect(isDate(text)).toBe(false);
  });
});

describe("usagePeriod", () => {
  it("is the last 30 days with today when nothing is said", () => {
    const period = usagePeriod({}, NOON);
    expect(period).toEqual({ from: "2026-01-31", to: "2026-03-01" });
    expect(daysOf(period)).toHaveLength(30);
  });

  it("counts by UTC, up to the last millisecond of a day", () => {
    expect(usagePeriod({}, new Date("2026-03-01T23:59:59.999Z")).to).toBe("2026-03-01");
    expect(usagePeriod({}, new Date("2026-03-02T00:00:00.000Z")).to).toBe("2026-03-02");
  });

  it("begins 30 days before a given end, and ends today after a given beginning", () => {
    expect(usagePeriod({ to: "2025-12-31" }, NOON)).toEqual({ from: "2025-12-02", to: "2025-12-31" });
    expect(usagePeriod({ from: "2026-02-27" }, NOON)).toEqual({ from: "2026-02-27", to: "2026-03-01" });
  });

  it("may be a single day, and 366 days, not 367", () => {
    expect(daysOf(usagePeriod({ from: "2026-01-05", to: "2026-01-05" }, NOON))).toEqual(["2026-01-05"]);
    expect(daysOf(usagePeriod({ from: "2024-01-01", to: "2024-12-31" }, NOON))).toHaveLength(366);
    expect(() => usagePeriod({ from: "2023-12-31", to: "2024-12-31" }, NOON)).toThrow(
      "from must be at most 365 days before to.",
    );
    expect(() => usagePeriod({ from: "2020-01-01" }, NOON)).toThrow("from must be at most 365 days before today.");
  });

  it("may end with the last day that there is", () => {
    const period = usagePeriod({ to: "9999-12-31" }, NOON);
    expect(period).toEqual({ from: "9999-12-02", to: "9999-12-31" });
    expect(daysOf(period)).toHaveLength(30);
    expect(daysOf(period).at(-1)).toBe("9999-12-31");
  });

  it.each([
    [{ from: "2026-02-02", to: "2026-02-01" }, "from must not be after to."],
    [{ from: "2026-03-02" }, "from must not be after today."],
  ])("refuses %o", (query, message) => {
    expect(() => usagePeriod(query, NOON)).toThrow(
      expect.objectContaining({ message, param: "from", code: "VALIDATION_FAILED" }),
    );
  });
});

describe("days and months", () => {
  it("go over the ends of months and years", () => {
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
    expect(addDays("2025-12-31", 1)).toBe("2026-01-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(dateOf(new Date("2026-06-30T23:59:59.999Z"))).toBe("2026-06-30");
    expect(monthOf(new Date("2025-12-31T23:59:59.999Z"))).toEqual({
      start: new Date("2025-12-01T00:00:00.000Z"),
      end: new Date("2026-01-01T00:00:00.000Z"),
    });
  });
});

describe("monthsOf", () => {
  it("is the one month that a period lies in", () => {
    expect(monthsOf({ from: "2026-02-01", to: "2026-02-28" })).toEqual(["2026-02"]);
    expect(monthsOf({ from: "2026-02-28", to: "2026-02-28" })).toEqual(["2026-02"]);
  });

  it("is every month that a day of it lies in, over years, the newest first", () => {
    expect(monthsOf({ from: "2026-02-28", to: "2026-03-01" })).toEqual(["2026-03", "2026-02"]);
    expect(monthsOf({ from: "2025-11-30", to: "2026-02-01" })).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
    expect(monthsOf({ from: "2025-01-01", to: "2026-01-01" })).toHaveLength(13);
  });
});
