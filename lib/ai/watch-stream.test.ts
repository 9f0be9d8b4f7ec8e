import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchStream } from "@/lib/ai/watch-stream";

const LIMITS = { idleMs: 1_000, totalMs: 2_500 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a watch of a call", () => {
  it("ends it after silence, and after the time for all of it whatever comes", () => {
    const silent = watchStream(LIMITS);
    const chatty = watchStream(LIMITS);
    for (let passed = 0; passed < 2_000; passed += 500) {
      vi.advanceTimersByTime(500);
      chatty.touch();
    }
    expect([silent.cause(), chatty.cause()]).toEqual(["idle", undefined]);
    vi.advanceTimersByTime(500);
    expect([chatty.cause(), chatty.signal.aborted]).toEqual(["total", true]);
  });

  it("keeps what ended it first", () => {
    const outer = new AbortController();
    const watch = watchStream(LIMITS, outer.signal);
    vi.advanceTimersByTime(1_000);
    outer.abort();
    vi.advanceTimersByTime(2_000);
    expect(watch.cause()).toBe("idle");
    expect(watch.late()?.message).toBe("nothing came for 1 s");
  });

  it("is over at once with a signal that has ended already", () => {
    expect(watchStream(LIMITS, AbortSignal.abort()).cause()).toBe("outside");
  });

  it("leaves no timer and no listener behind", () => {
    const outer = new AbortController();
    const watch = watchStream(LIMITS, outer.signal);
    watch.dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(outer.signal, "abort")).toEqual([]);
  });
});
