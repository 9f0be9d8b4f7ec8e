import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatCredits,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
} from "@/components/ui/format-number";

const CASES: [written: string, expected: string][] = [
  [formatNumber(1_204), "1,204"],
  [formatCompact(1_240_000), "1.2M"],
  [formatCount(1, "token"), "1 token"],
  [formatCount(0, "token"), "0 tokens"],
  [formatCount(1_204, "token"), "1,204 tokens"],
  [formatCredits(1), "1 credit"],
  [formatCredits(0), "0 credits"],
  [formatCredits(1_204), "1,204 credits"],
  [formatMoney(12.04, "USD"), "$12.04"],
  [formatMoney(-3, "EUR"), "-€3.00"],
  [formatBytes(0), "0 bytes"],
  [formatBytes(1_023), "1,023 bytes"],
  [formatBytes(1_536), "1.5 KB"],
  [formatBytes(1024 * 1024 - 1), "1 MB"],
  [formatBytes(500 * 1024 * 1024), "500 MB"],
  [formatDuration(83.6), "84 ms"],
  [formatDuration(1_440), "1.4 s"],
  [formatDuration(59_960), "1 min"],
  [formatDuration(125_000), "2 min 5 s"],
  [formatPercent(0), "0%"],
  [formatPercent(0.004), "<1%"],
  [formatPercent(0.999), "99%"],
  [formatPercent(1), "100%"],
];

describe("numbers in words", () => {
  it.each(CASES)("writes %s", (written, expected) => {
    expect(written).toBe(expected);
  });
});
