import { vi } from "vitest";

const HOUR_MS = 3_600_000;

/** What a machine does whose clock is off by so many hours. */
export async function onOtherClock<T>(hours: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * HOUR_MS });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
