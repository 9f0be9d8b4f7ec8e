import { describe, expect, it } from "vitest";
import { decodeCursor, decodeTimeCursor, encodeCursor, makeCursorPage } from "@/lib/domain/cursor";

const AT = "2026-01-31T09:30:00.000Z";

describe("cursor", () => {
  it("gives back the position that it was made of", () => {
    expect(decodeTimeCursor(encodeCursor([AT, "ses_1"]))).toEqual([AT, "ses_1"]);
    expect(decodeCursor(encodeCursor(["ädä @ home", "ädä"]))).toEqual(["ädä @ home", "ädä"]);
  });

  it.each([
    ["nothing", ""],
    ["another text", "hello"],
    ["one value", Buffer.from('["a"]').toString("base64url")],
    ["numbers", Buffer.from("[1,2]").toString("base64url")],
    ["a NUL, which Postgres refuses", encodeCursor(["a\u0000", "b"])],
    ["a text that is too long", encodeCursor(["a".repeat(2_000), "b"])],
  ])("refuses %s", (_what, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED", param: "cursor" }));
  });

  it.each([
    "later",
    "2026",
    "1",
    "2026-01-31",
    "2026-01-31 09:30 +99",
    "Sat Jan 31 2026 (noon) GMT",
    "0000-01-01T00:00:00.000Z",
    "-271821-04-20T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
  ])("refuses %s where a list is sorted by time", (text) => {
    expect(() => decodeTimeCursor(encodeCursor([text, "ses_1"]))).toThrow(/cursor/);
  });
});

describe("makeCursorPage", () => {
  const page = (rows: string[]) =>
    makeCursorPage(
      rows,
      2,
      (row) => row.toUpperCase(),
      (row) => [AT, row],
    );

  it("leaves out the row too many and points behind the last one kept", () => {
    expect(page(["a", "b", "c"])).toEqual({ data: ["A", "B"], nextCursor: encodeCursor([AT, "b"]) });
  });

  it("points nowhere at the end", () => {
    expect(page(["a", "b"])).toEqual({ data: ["A", "B"], nextCursor: null });
    expect(page([])).toEqual({ data: [], nextCursor: null });
  });
});
