import { afterEach, expect, it, vi } from "vitest";
import { repeat, throttle } from "@/inngest/embedded/repeat";

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

it("does repeated work again a second after it failed, and as often as it was asked for meanwhile, but never twice at once", async () => {
  vi.useFakeTimers();
  const onError = vi.fn();
  const work = vi.fn<() => Promise<undefined>>().mockResolvedValue(undefined);
  work.mockRejectedValueOnce(new Error("The database is away."));
  const repeated = repeat(600_000, work, onError);
  await vi.advanceTimersByTimeAsync(999);
  expect([work.mock.calls.length, onError.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(599_999);
  expect(work).toHaveBeenCalledTimes(2);

  const slow = Promise.withResolvers<undefined>();
  work.mockReturnValueOnce(slow.promise);
  for (let time = 0; time < 3; time++) repeated.now();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(3);
  slow.resolve(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(4);
  await repeated.stop();
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(work).toHaveBeenCalledTimes(4);
});
