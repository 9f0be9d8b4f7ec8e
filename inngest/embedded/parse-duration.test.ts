import { describe, expect, it } from "vitest";
import { parseRetryAfter, parseSleep } from "@/inngest/embedded/parse-duration";

const NOW = Date.parse("2026-03-01T10:00:00Z");

describe("parseSleep", () => {
  it.each([
    ["", 0],
    ["1s", 1_000],
    ["1h30m", 5_400_000],
    ["2w3d", 17 * 86_400_000],
    ["1.5m", 90_000],
    ["300ms", 300],
    ["2026-03-01T10:00:05.250Z", 5_250],
    ["2020-01-01T00:00:00Z", 0],
    ["soon", undefined],
  ])("reads %j as %s ms", (target, expected) => {
    expect(parseSleep(target, NOW)).toBe(expected);
  });
});

describe("parseRetryAfter", () => {
  it.each([
    [undefined, undefined],
    ["0", 0],
    ["7", 7_000],
    ["2026-03-01T10:01:00.000Z", 60_000],
    ["Sun, 01 Mar 2026 10:00:30 GMT", 30_000],
    ["whenever", undefined],
  ])("reads %j as %s ms", (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });
});
