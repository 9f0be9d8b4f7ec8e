import { afterEach, describe, expect, it, vi } from "vitest";
import { dayTimeWords, readDayTime, type SpanEnd, writeDayTime, zoneWords } from "@/components/ui/day-time";
import { timeRangeFields } from "@/lib/contracts/time-range";

const BERLIN = "Europe/Berlin";

afterEach(() => vi.unstubAllEnvs());

/** The moment at which a list begins, or before which it ends. */
function momentOf(text: string, end: SpanEnd): string | undefined {
  return timeRangeFields[end].parse(text)?.toISOString();
}

describe("a day or a moment of a reader", () => {
  it.each<[zone: string, end: SpanEnd, fields: { day: string; time: string }, address: string, moment: string]>([
    ["UTC", "from", { day: "2026-11-24", time: "" }, "2026-11-24", "2026-11-24T00:00:00.000Z"],
    ["UTC", "to", { day: "2026-11-24", time: "" }, "2026-11-24", "2026-11-25T00:00:00.000Z"],
    ["UTC", "to", { day: "2026-11-24", time: "14:30" }, "2026-11-24T14:30:00.000Z", "2026-11-24T14:30:00.000Z"],
    [BERLIN, "from", { day: "2026-11-24", time: "14:30" }, "2026-11-24T13:30:00.000Z", "2026-11-24T13:30:00.000Z"],
    [BERLIN, "from", { day: "2026-11-24", time: "" }, "2026-11-23T23:00:00.000Z", "2026-11-23T23:00:00.000Z"],
    [BERLIN, "to", { day: "2026-11-24", time: "" }, "2026-11-24T23:00:00.000Z", "2026-11-24T23:00:00.000Z"],
    [BERLIN, "from", { day: "2026-07-01", time: "02:00" }, "2026-07-01", "2026-07-01T00:00:00.000Z"],
    // The day on which clocks go on by an hour has 23 of them.
    [BERLIN, "from", { day: "2026-03-29", time: "" }, "2026-03-28T23:00:00.000Z", "2026-03-28T23:00:00.000Z"],
    [BERLIN, "to", { day: "2026-03-29", time: "" }, "2026-03-29T22:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    // On this one they go on from midnight to one.
    [
      "America/Santiago",
      "from",
      { day: "2026-09-06", time: "" },
      "2026-09-06T04:00:00.000Z",
      "2026-09-06T04:00:00.000Z",
    ],
    ["America/Santiago", "to", { day: "2026-09-05", time: "" }, "2026-09-06T04:00:00.000Z", "2026-09-06T04:00:00.000Z"],
    ["America/Santiago", "to", { day: "2026-09-06", time: "" }, "2026-09-07T03:00:00.000Z", "2026-09-07T03:00:00.000Z"],
    ["Asia/Kolkata", "to", { day: "2026-12-31", time: "" }, "2026-12-31T18:30:00.000Z", "2026-12-31T18:30:00.000Z"],
    [
      "America/New_York",
      "from",
      { day: "2026-11-24", time: "20:00" },
      "2026-11-25T01:00:00.000Z",
      "2026-11-25T01:00:00.000Z",
    ],
  ])(
    "in %s, %s %j, stands in the address as %s and comes back as it was chosen",
    (zone, end, fields, address, moment) => {
      vi.stubEnv("TZ", zone);
      expect(writeDayTime(fields, end)).toBe(address);
      expect(readDayTime(address, end, zone)).toEqual(fields);
      expect(dayTimeWords(address, end, zone)).toBe(`${fields.day} ${fields.time}`.trim());
      expect(momentOf(address, end)).toBe(moment);
    },
  );

  it("is shown in the reader's zone when an address names it by days of UTC, or with another offset", () => {
    expect(readDayTime("2026-11-24", "from", BERLIN)).toEqual({ day: "2026-11-24", time: "01:00" });
    expect(readDayTime("2026-11-24", "to", BERLIN)).toEqual({ day: "2026-11-25", time: "01:00" });
    expect(readDayTime("2026-11-25T01:30:59+02:00", "from", "UTC")).toEqual({ day: "2026-11-24", time: "23:30" });
    expect(readDayTime("2026-11-24T23:59:59.999Z", "to", "UTC")).toEqual({ day: "2026-11-24", time: "23:59" });
    expect(readDayTime("2026-11-24T00:00:00.500Z", "to", "UTC"), "not the day before").toEqual({
      day: "2026-11-24",
      time: "00:00",
    });
  });

  it("is nothing as a time without a day", () => {
    expect(writeDayTime({ day: "", time: "14:30" }, "from")).toBeNull();
    expect(writeDayTime({ day: "", time: "" }, "to")).toBeNull();
  });

  it("is shown as it stands in the address where it is none", () => {
    for (const text of ["x", "Tuesday", "2026-99-99T99:99", "2026-13-01"]) {
      expect(dayTimeWords(text, "from", BERLIN)).toBe(text);
      expect(readDayTime(text, "to", BERLIN)).toEqual({ day: "", time: "" });
    }
  });
});

it("a zone is told by how far its clocks are from UTC at the time", () => {
  expect(zoneWords("2026-11-24", "UTC")).toBe("UTC");
  expect(zoneWords("2026-11-24T13:30:00.000Z", BERLIN)).toBe("UTC+1");
  expect(zoneWords("2026-07-01", BERLIN)).toBe("UTC+2");
  expect(zoneWords("2026-11-24", "America/New_York")).toBe("UTC-5");
  expect(zoneWords("2026-11-24T14:30:59.999Z", "Asia/Kolkata")).toBe("UTC+5:30");
  expect(zoneWords("2026-11-24", "America/St_Johns")).toBe("UTC-3:30");
  expect(zoneWords("2026-11-24", "Europe/London")).toBe("UTC");
});
