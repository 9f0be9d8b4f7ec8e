import { expect, it } from "vitest";
import { dayTimeWords, readDayTime, writeDayTime } from "@/components/ui/day-time";
import { timeRangeFields } from "@/lib/contracts/time-range";

it.each([
  ["2026-11-24", { day: "2026-11-24", time: "" }, "2026-11-24"],
  ["2026-11-24T14:30:00.000Z", { day: "2026-11-24", time: "14:30" }, "2026-11-24 14:30"],
  ["2026-11-24T00:00:00.000Z", { day: "2026-11-24", time: "00:00" }, "2026-11-24 00:00"],
])("%s is read into fields and written as it was, and lists take it", (text, fields, words) => {
  expect(readDayTime(text)).toEqual(fields);
  expect(writeDayTime(fields)).toBe(text);
  expect(dayTimeWords(text)).toBe(words);
  expect(timeRangeFields.from.safeParse(text).success).toBe(true);
});

it("a moment with another offset is shown in UTC", () => {
  expect(readDayTime("2026-11-25T01:30:59+02:00")).toEqual({ day: "2026-11-24", time: "23:30" });
});

it("a time without a day is nothing", () => {
  expect(writeDayTime({ day: "", time: "14:30" })).toBeNull();
  expect(writeDayTime({ day: "", time: "" })).toBeNull();
});

it("what is neither a day nor a moment is shown as it stands in the address", () => {
  for (const text of ["x", "Tuesday", "2026-99-99T99:99"]) expect(dayTimeWords(text)).toBe(text);
});
