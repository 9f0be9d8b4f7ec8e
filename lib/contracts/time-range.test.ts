import { describe, expect, it } from "vitest";
import { z } from "zod";
import { timeRangeFields } from "@/lib/contracts/time-range";

const range = z.object(timeRangeFields);

describe("a span of time in an address", () => {
  it("goes from the first moment of a day to the last of another, or between two moments", () => {
    const { from, to } = range.parse({ from: "2026-01-31", to: "2026-01-31" });
    expect([from, to]).toEqual([new Date("2026-01-31T00:00:00.000Z"), new Date("2026-02-01T00:00:00.000Z")]);
    const moments = range.parse({ from: "2026-01-31T01:00:00+02:00", to: "9999-12-31T23:59:59.999Z" });
    expect(moments).toEqual({ from: new Date("2026-01-30T23:00:00Z"), to: new Date("9999-12-31T23:59:59.999Z") });
  });

  it.each(["0000-01-01", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "2026-02-30", "now"])(
    "is refused, and says what to write, where the database has no such time: %s",
    (text) => {
      for (const name of ["from", "to"]) {
        const message = expect.stringMatching(/^must be a date .*2026-01-31, or a time/);
        expect(range.safeParse({ [name]: text }).error?.issues).toMatchObject([{ path: [name], message }]);
      }
    },
  );
});
