import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallLogBuffer, type CallLogOptions } from "@/lib/services/call-log/call-log-buffer";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";

const AWAY = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

beforeEach(() => {
  process.env.LOG_LEVEL = "silent";
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const row = (id: number) => ({ id: String(id) }) as CallLogEntry;

/** A buffer and what it wrote; while `isAway` no write succeeds. */
function bufferWith(options: Partial<CallLogOptions> = {}) {
  const state = { batches: [] as string[][], isAway: false };
  const buffer = new CallLogBuffer({
    write: async (rows) => {
      if (state.isAway) throw AWAY;
      state.batches.push(rows.map(({ id }) => id));
    },
    ...options,
  });
  const addMany = (from: number, count: number) => {
    for (let id = from; id < from + count; id++) buffer.add(row(id));
  };
  return { buffer, state, addMany };
}

describe("the call log's buffer", () => {
  it("writes rows together, a quarter of a second after the first", async () => {
    const { state, addMany } = bufferWith();
    addMany(0, 3);
    await vi.advanceTimersByTimeAsync(249);
    expect(state.batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.batches).toEqual([["0", "1", "2"]]);
  });

  it("does not wait when a batch is full, and leaves the rest to the clock", async () => {
    const { state, addMany } = bufferWith();
    addMany(0, 1_203);
    await vi.advanceTimersByTimeAsync(0);
    expect(state.batches.map((batch) => batch.length)).toEqual([500, 500]);
    await vi.advanceTimersByTimeAsync(250);
    expect(state.batches.map((batch) => batch.length)).toEqual([500, 500, 203]);
    expect(state.batches.flat()).toEqual(Array.from({ length: 1_203 }, (_, id) => String(id)));
  });

  it("keeps rows in order while the database is away, and tries again each second", async () => {
    const { state, addMany } = bufferWith();
    state.isAway = true;
    addMany(0, 700);
    await vi.advanceTimersByTimeAsync(3_500);
    addMany(700, 600);
    expect(state.batches).toEqual([]);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(1_500);
    expect(state.batches.flat()).toEqual(Array.from({ length: 1_300 }, (_, id) => String(id)));
  });

  it("asks a database that is away once a second, however many calls come in", async () => {
    let tries = 0;
    const { addMany } = bufferWith({
      write: async () => {
        tries++;
        throw AWAY;
      },
    });
    for (let second = 0; second < 10; second++) {
      addMany(second * 2_000, 2_000);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(tries).toBeLessThanOrEqual(11);
  });

  it("does not ask it at once either when a batch gets full meanwhile", async () => {
    let tries = 0;
    const { addMany } = bufferWith({
      write: async () => {
        tries++;
        throw AWAY;
      },
    });
    addMany(0, 10);
    await vi.advanceTimersByTimeAsync(250);
    addMany(10, 490);
    await vi.advanceTimersByTimeAsync(999);
    expect(tries).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toBe(2);
  });

  it("drops the oldest beyond its bound, and says how many", async () => {
    process.env.LOG_LEVEL = "warn";
    const { state, addMany } = bufferWith({ maxRows: 1_000 });
    state.isAway = true;
    addMany(0, 5_000);
    await vi.advanceTimersByTimeAsync(300);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    const kept = state.batches.flat();
    expect(kept.length).toBeLessThanOrEqual(1_000);
    expect(kept.length).toBeGreaterThanOrEqual(970);
    expect(kept.at(-1)).toBe("4999");
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => String(5_000 - kept.length + index)));
  });

  it("writes one batch at a time", async () => {
    let open = 0;
    let most = 0;
    const { buffer, addMany } = bufferWith({
      batchRows: 10,
      write: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open--;
      },
    });
    addMany(0, 100);
    void buffer.flush();
    await vi.advanceTimersByTimeAsync(30);
    addMany(100, 100);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(most).toBe(1);
  });

  it("writes everything when it is stopped, also what comes in meanwhile", async () => {
    const { buffer, state, addMany } = bufferWith({ batchRows: 10 });
    addMany(0, 25);
    const stopped = buffer.stop();
    addMany(25, 1);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
    expect(state.batches.flat()).toHaveLength(26);
  });

  it("waits at its stop for a database that comes back, and gives up on one that does not", async () => {
    const { buffer, state, addMany } = bufferWith();
    state.isAway = true;
    addMany(0, 5);
    const stopped = buffer.stop(2_000);
    await vi.advanceTimersByTimeAsync(1_000);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(500);
    await stopped;
    expect(state.batches.flat()).toHaveLength(5);

    const hopeless = bufferWith({ write: () => new Promise(() => {}) });
    hopeless.addMany(0, 5);
    const over = hopeless.buffer.stop(2_000);
    await vi.advanceTimersByTimeAsync(2_500);
    await over;
  });
});
