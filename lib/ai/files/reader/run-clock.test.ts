import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runClock } from "@/lib/ai/files/reader/run-clock";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("runs out after its time", () => {
  const onOver = vi.fn();
  runClock(1_000, onOver);
  vi.advanceTimersByTime(999);
  expect(onOver).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onOver).toHaveBeenCalledOnce();
});

it("does not count the time in which it stands still", () => {
  const onOver = vi.fn();
  const clock = runClock(1_000, onOver);
  vi.advanceTimersByTime(600);
  clock.pause();
  vi.advanceTimersByTime(3_600_000);
  clock.goOn();
  vi.advanceTimersByTime(399);
  expect(onOver).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onOver).toHaveBeenCalledOnce();
});

it("is over for good once it stands still for good", () => {
  const onOver = vi.fn();
  const clock = runClock(1_000, onOver);
  clock.pause();
  clock.pause();
  vi.advanceTimersByTime(10_000);
  expect(onOver).not.toHaveBeenCalled();
});
