import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { collect, keepUnstored, takeUnstored } from "@/lib/services/turns/outputs/unstored-outputs";

const MEGABYTE = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("gives what was kept once, to its own turn", () => {
  const pieces = [Buffer.from("a picture")];
  keepUnstored("trn_a", pieces);
  expect(takeUnstored("trn_b")).toBeUndefined();
  expect(takeUnstored("trn_a")).toBe(pieces);
  expect(takeUnstored("trn_a")).toBeUndefined();
});

it("forgets what nobody comes for", () => {
  keepUnstored("trn_a", [Buffer.from("a picture")]);
  vi.advanceTimersByTime(15 * 60_000);
  expect(takeUnstored("trn_a")).toBeUndefined();
});

it("keeps no more than memory is meant for, and has room again for what was taken", () => {
  const large = [Buffer.alloc(64 * MEGABYTE)];
  for (const turnId of ["trn_a", "trn_b", "trn_c"]) keepUnstored(turnId, large);
  expect(takeUnstored("trn_c")).toBeUndefined();
  expect(takeUnstored("trn_a")).toBe(large);
  keepUnstored("trn_c", large);
  expect(takeUnstored("trn_b")).toBe(large);
  expect(takeUnstored("trn_c")).toBe(large);
});

it("collects no more than a piece above what may be stored", async () => {
  const endless = (async function* () {
    for (;;) yield Buffer.alloc(MEGABYTE);
  })();
  expect(await collect(endless, 3 * MEGABYTE)).toHaveLength(4);
});
