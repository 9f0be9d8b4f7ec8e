import { afterEach, expect, it, vi } from "vitest";
import { throttle } from "@/inngest/embedded/repeat";

afterEach(() => vi.useRealTimers());

it("runs throttled work again after its time also when the machine's clock was set back", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const work = vi.fn();
  const tell = throttle(work, 50);
  tell();
  tell();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60);
  vi.setSystemTime(Date.now() - 300_000);
  tell();
  expect(work).toHaveBeenCalledTimes(2);
});
