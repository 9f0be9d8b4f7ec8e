import { beforeAll, describe, expect, it, vi } from "vitest";
import { formatEvent, type ServerSentEvent, sseResponse } from "@/lib/http/sse";
import { streamedTextOf } from "@/lib/http/streamed-response";
import { metrics } from "@/lib/metrics";
import { processSingleton } from "@/lib/process-singleton";

beforeAll(() => {
  process.env.LOG_LEVEL = "silent";
});

const NEVER_SECONDS = 600;

/** A source fed by hand, which tells how it ended. */
function handSource() {
  const state = { isReturned: false, taken: 0, signal: undefined as AbortSignal | undefined };
  let wake = Promise.withResolvers<void>();
  const queue: ServerSentEvent[] = [];
  async function* source(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    state.signal = signal;
    signal.addEventListener("abort", () => wake.resolve());
    try {
      while (!signal.aborted) {
        const event = queue.shift();
        if (event) {
          state.taken++;
          yield event;
        } else {
          await wake.promise;
          wake = Promise.withResolvers<void>();
        }
      }
    } finally {
      state.isReturned = true;
    }
  }
  const push = (...events: ServerSentEvent[]) => {
    queue.push(...events);
    wake.resolve();
  };
  return { source, push, state };
}

function readerOf(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  return {
    read: async () => {
      const { done, value } = await reader.read();
      return done ? null : decoder.decode(value);
    },
    cancel: () => reader.cancel(),
  };
}

/** As scripts/serve.ts does; returns how many streams were open. */
function endStreams(): number {
  const { listeners } = processSingleton("stopping", () => ({ isStopping: false, listeners: new Set<() => void>() }));
  const open = [...listeners];
  for (const end of open) end();
  return open.length;
}

async function* list(...events: ServerSentEvent[]): AsyncGenerator<ServerSentEvent> {
  yield* events;
}

describe("a stream whose process stops", () => {
  it("ends in order, with a hint when to come back, and lets its source go", async () => {
    const { source, push, state } = handSource();
    const { read } = readerOf(sseResponse(source, { pingSeconds: NEVER_SECONDS }));
    push({ event: "chunk", id: 1, data: "a" });
    expect(await read()).toBe('id: 1\nevent: chunk\ndata: "a"\n\n');
    const next = read();
    endStreams();
    expect(await next).toBe("retry: 1000\n\n");
    expect(await read()).toBeNull();
    await expect.poll(() => state.isReturned).toBe(true);
  });

  it("is not told of it when it had ended before", async () => {
    const { read } = readerOf(sseResponse(() => list({ event: "completed", data: 1 }), { pingSeconds: NEVER_SECONDS }));
    expect(await read()).toContain("completed");
    expect(await read()).toBeNull();
    expect(endStreams()).toBe(0);
  });
});

describe("formatEvent", () => {
  it.each<[ServerSentEvent, string]>([
    [{ event: "chunk", id: 7, data: { delta: "a" } }, 'id: 7\nevent: chunk\ndata: {"delta":"a"}\n\n'],
    [{ event: "status", data: { status: "started" } }, 'event: status\ndata: {"status":"started"}\n\n'],
    [{ event: "chunk", id: 0, data: "a\nb\r\n" }, 'id: 0\nevent: chunk\ndata: "a\\nb\\r\\n"\n\n'],
    [{ event: "chunk", data: "\u0085\u2028\u2029" }, 'event: chunk\ndata: "\\u0085\\u2028\\u2029"\n\n'],
  ])("writes %o on lines that no text can break", (event, expected) => {
    expect(formatEvent(event)).toBe(expected);
  });
});

describe("sseResponse", () => {
  it("sends the events in order and closes after the last", async () => {
    const events = [1, 2, 3].map((id) => ({ event: "chunk", id, data: { id } }));
    const response = sseResponse(() => list(...events), { pingSeconds: NEVER_SECONDS });
    expect(await response.text()).toBe(events.map(formatEvent).join(""));
  });

  it("carries the headers that keep proxies from holding events back", () => {
    const { headers } = sseResponse(() => list(), { pingSeconds: NEVER_SECONDS });
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
  });

  it("pings in silence and loses no event to a ping", async () => {
    const { source, push } = handSource();
    const reader = readerOf(sseResponse(source, { pingSeconds: 0.01 }));
    expect(await reader.read()).toBe(": ping\n\n");
    expect(await reader.read()).toBe(": ping\n\n");
    push({ event: "chunk", id: 1, data: 1 }, { event: "chunk", id: 2, data: 2 });
    const received: (string | null)[] = [];
    while (received.filter((text) => text !== ": ping\n\n").length < 2) received.push(await reader.read());
    expect(received.filter((text) => text?.startsWith("id"))).toEqual([
      "id: 1\nevent: chunk\ndata: 1\n\n",
      "id: 2\nevent: chunk\ndata: 2\n\n",
    ]);
    await reader.cancel();
  });

  it("loses no event that comes while nobody reads yet, behind a ping", async () => {
    const { source, push, state } = handSource();
    const reader = readerOf(sseResponse(source, { pingSeconds: 0.01 }));
    expect(await reader.read()).toBe(": ping\n\n");
    push({ event: "chunk", id: 1, data: 1 });
    await vi.waitFor(() => expect(state.taken).toBe(1));
    expect(await reader.read()).toBe("id: 1\nevent: chunk\ndata: 1\n\n");
    await reader.cancel();
  });

  it("asks its source for one event at a time, however many pings go out meanwhile", async () => {
    const next = vi.fn(() => new Promise<never>(() => {}));
    const reader = readerOf(sseResponse(() => ({ [Symbol.asyncIterator]: () => ({ next }) }), { pingSeconds: 0.01 }));
    for (let pings = 0; pings < 3; pings++) expect(await reader.read()).toBe(": ping\n\n");
    expect(next).toHaveBeenCalledTimes(1);
    await reader.cancel();
  });

  it("ends the source when the client leaves, also while it waits", async () => {
    const { source, push, state } = handSource();
    const reader = readerOf(sseResponse(source, { pingSeconds: NEVER_SECONDS }));
    push({ event: "chunk", id: 1, data: 1 });
    await reader.read();
    await reader.cancel();
    expect(state.signal?.aborted).toBe(true);
    await vi.waitFor(() => expect(state.isReturned).toBe(true));
  });

  it("ends the source and closes when the request is aborted", async () => {
    const { source, push, state } = handSource();
    const request = new AbortController();
    const reader = readerOf(sseResponse(source, { pingSeconds: NEVER_SECONDS, signal: request.signal }));
    push({ event: "chunk", id: 1, data: 1 });
    await reader.read();
    const next = reader.read();
    request.abort();
    expect(await next).toBeNull();
    await vi.waitFor(() => expect(state.isReturned).toBe(true));
  });

  it("is counted as open until it ends, however many tell of its end", async () => {
    const openStreams = async () => (await metrics().streamsOpen.get()).values[0]?.value ?? 0;
    const before = await openStreams();
    const client = new AbortController();
    const response = sseResponse(handSource().source, { pingSeconds: NEVER_SECONDS, signal: client.signal });
    expect(await openStreams()).toBe(before + 1);
    client.abort();
    streamedTextOf(response)?.cancel();
    expect(await openStreams()).toBe(before);
  });

  it("sends nothing to a client that was gone before it began", async () => {
    const { source, push, state } = handSource();
    push({ event: "chunk", id: 1, data: 1 });
    expect(await sseResponse(source, { pingSeconds: NEVER_SECONDS, signal: AbortSignal.abort() }).text()).toBe("");
    expect(state.taken).toBe(0);
  });

  it("takes events only as fast as the client reads", async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<ServerSentEvent> {
      for (;;) {
        taken++;
        yield { event: "chunk", id: taken, data: "x".repeat(1_000) };
      }
    }
    const reader = readerOf(sseResponse(endless, { pingSeconds: NEVER_SECONDS }));
    await reader.read();
    let before = -1;
    await vi.waitFor(() => {
      const isStill = taken === before;
      before = taken;
      expect(isStill).toBe(true);
    });
    expect(taken).toBeLessThan(3);
    for (let count = 0; count < 100; count++) await reader.read();
    expect(taken).toBeLessThan(103);
    await reader.cancel();
  });

  it("keeps no pings for a client that does not read, and pings on when it reads again", async () => {
    vi.useFakeTimers();
    try {
      const { source } = handSource();
      const reader = readerOf(sseResponse(source, { pingSeconds: 1 }));
      for (const _ of ["first", "after a pause"]) {
        const ping = reader.read();
        await vi.advanceTimersByTimeAsync(1_000);
        expect(await ping).toBe(": ping\n\n");
        await vi.advanceTimersByTimeAsync(3_000_000);
        expect(vi.getTimerCount()).toBe(0);
      }
      await reader.cancel();
    } finally {
      vi.useRealTimers();
    }
  });

  it("breaks the connection when the source fails, after what came before", async () => {
    async function* failing(): AsyncGenerator<ServerSentEvent> {
      yield { event: "chunk", id: 1, data: 1 };
      throw new Error("secret");
    }
    const reader = readerOf(sseResponse(failing, { pingSeconds: NEVER_SECONDS }));
    expect(await reader.read().catch(String)).not.toContain("secret");
    await expect(reader.read()).rejects.toThrow("The stream broke.");
  });
});
