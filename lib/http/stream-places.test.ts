import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { type ServerSentEvent, sseResponse } from "@/lib/http/sse";
import { streamInPlace } from "@/lib/http/stream-in-place";
import { takeLinkedStreamPlace, takePersonStreamPlace, takeStreamPlace } from "@/lib/http/stream-places";
import { findCallableKeys } from "@/lib/services/api-keys/find-callable-keys";

vi.mock("@/lib/services/api-keys/find-callable-keys");

beforeAll(() => {
  Object.assign(process.env, { STREAMS_PER_KEY: "2", LOG_LEVEL: "silent" });
});

const MANY = expect.objectContaining({ code: "RATE_LIMITED", retryAfterSeconds: expect.any(Number) });

/** The code of a refusal; undefined when there is a place. */
function refusalOf(apiKeyId: string): string | undefined {
  try {
    takeStreamPlace(apiKeyId).free();
    return undefined;
  } catch (error) {
    expect((error as AppError).retryAfterSeconds).toBeGreaterThan(0);
    return error instanceof AppError ? error.code : String(error);
  }
}

describe("places for streams", () => {
  it("are as many as the setting says, for each key by itself", () => {
    const [first, second] = [takeStreamPlace("key_a"), takeStreamPlace("key_a")];
    expect(refusalOf("key_a")).toBe("RATE_LIMITED");
    expect(refusalOf("key_b")).toBeUndefined();
    first.free();
    expect(refusalOf("key_a")).toBeUndefined();
    second.free();
  });

  it("come back once, however often a stream says that it is over", () => {
    const [first, second] = [takeStreamPlace("key_c"), takeStreamPlace("key_c")];
    first.free();
    first.free();
    const third = takeStreamPlace("key_c");
    expect(refusalOf("key_c")).toBe("RATE_LIMITED");
    second.free();
    third.free();
  });

  it("are a hundred for each person by themselves, and come back once", () => {
    const places = Array.from({ length: 100 }, () => takePersonStreamPlace("usr_a"));
    expect(() => takePersonStreamPlace("usr_a")).toThrow(MANY);
    takePersonStreamPlace("usr_b").free();
    for (let times = 0; times < 2; times += 1) places[0]?.free();
    places[0] = takePersonStreamPlace("usr_a");
    expect(() => takePersonStreamPlace("usr_a")).toThrow(MANY);
    for (const place of places) place.free();
    takePersonStreamPlace("usr_a").free();
  });

  it("of links are as many as those of their key, and take none of those", () => {
    const links = [1, 2].map((at) => takeLinkedStreamPlace({ apiKeyId: "key_n", sessionId: `ses_${at}` }));
    const third = { apiKeyId: "key_n", sessionId: "ses_3" };
    expect(() => takeLinkedStreamPlace(third)).toThrow(MANY);
    const own = [takeStreamPlace("key_n"), takeStreamPlace("key_n")];
    for (const place of links) place.free();
    takeLinkedStreamPlace(third).free();
    for (const place of own) place.free();
  });

  it("of links to a session are twenty, and come back once", () => {
    const take = (at: number) => takeLinkedStreamPlace({ apiKeyId: `key_of_${at}`, sessionId: "ses_a" });
    const places = Array.from({ length: 20 }, (_, at) => take(at));
    expect(() => take(20)).toThrow(MANY);
    for (let times = 0; times < 2; times += 1) places[0]?.free();
    places[0] = take(20);
    expect(() => take(21)).toThrow(MANY);
    for (const place of places) place.free();
    take(22).free();
  });

  it("of a session come back where the key's links have none", () => {
    const places = [1, 2].map((at) => takeLinkedStreamPlace({ apiKeyId: "key_o", sessionId: `ses_b${at}` }));
    for (let times = 0; times < 20; times += 1) {
      expect(() => takeLinkedStreamPlace({ apiKeyId: "key_o", sessionId: "ses_b3" })).toThrow(MANY);
    }
    for (const place of places) place.free();
    takeLinkedStreamPlace({ apiKeyId: "key_o", sessionId: "ses_b3" }).free();
  });

  it("come back when the client leaves, when the source ends and when it breaks", async () => {
    const ends = [
      { async *source() {}, read: (response: Response) => response.text() },
      {
        async *source() {
          await new Promise(() => {});
        },
        read: (response: Response) => response.body?.cancel(),
      },
      {
        // biome-ignore lint/correctness/useYield: it breaks before it gives anything.
        async *source(): AsyncGenerator<never> {
          throw new Error("broken");
        },
        read: (response: Response) => response.text().catch(() => {}),
      },
    ];
    for (const { source, read } of ends) {
      const place = takeStreamPlace("key_d");
      const other = takeStreamPlace("key_d");
      await read(sseResponse(source as () => AsyncGenerator<never>, { pingSeconds: 600, place }));
      expect(refusalOf("key_d")).toBeUndefined();
      other.free();
    }
  });

  it("come back when there is nothing to stream, and when it cannot be opened", async () => {
    const other = takeStreamPlace("key_z");
    const open = (stream: () => Promise<null>) =>
      streamInPlace(takeStreamPlace("key_z"), new AbortController().signal, stream);
    expect((await open(async () => null)).status).toBe(204);
    await expect(open(() => Promise.reject(new Error("The database is away.")))).rejects.toThrow("is away");
    expect(refusalOf("key_z")).toBeUndefined();
    other.free();
  });
});

describe("an open stream", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.mocked(findCallableKeys).mockReset();
  });

  /** One of a key that says nothing but how it began. @returns its text, once it is over */
  function openStream(
    apiKeyId: string,
    place = takeStreamPlace(apiKeyId),
  ): { text: Promise<string>; leave: () => void } {
    async function* source(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
      yield { event: "status", data: apiKeyId };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }
    const gone = new AbortController();
    const response = sseResponse(source, { pingSeconds: 600, signal: gone.signal, place });
    return { text: response.text(), leave: () => gone.abort() };
  }

  it("ends in order within seconds when its key may make no calls any more, and gives its place back", async () => {
    const [first, second, other] = [openStream("key_e"), openStream("key_e"), openStream("key_f")];
    vi.mocked(findCallableKeys).mockResolvedValue(new Set(["key_f"]));
    await vi.advanceTimersByTimeAsync(5_000);
    for (const { text } of [first, second]) expect(await text).toBe('event: status\ndata: "key_e"\n\n');
    expect(refusalOf("key_e")).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    other.leave();
    expect(await other.text).toBe('event: status\ndata: "key_f"\n\n');
  });

  it("ends so by a link, too", async () => {
    const link = { apiKeyId: "key_p", sessionId: "ses_c" };
    const stream = openStream("key_p", takeLinkedStreamPlace(link));
    vi.mocked(findCallableKeys)
      .mockResolvedValueOnce(new Set(["key_p"]))
      .mockResolvedValue(new Set());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await stream.text).toBe('event: status\ndata: "key_p"\n\n');
    expect(vi.mocked(findCallableKeys).mock.calls).toEqual([[["key_p"]], [["key_p"]]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is asked about with all others of the process at once, and no more once all are over", async () => {
    const streams = ["key_g", "key_g", "key_h"].map((key) => openStream(key));
    vi.mocked(findCallableKeys).mockResolvedValue(new Set(["key_g", "key_h"]));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(vi.mocked(findCallableKeys).mock.calls).toEqual([[["key_g", "key_h"]], [["key_g", "key_h"]]]);
    for (const { leave } of streams) leave();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(findCallableKeys).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is asked about also when another one ended since the last look", async () => {
    const [left, stays] = [openStream("key_j"), openStream("key_k")];
    vi.mocked(findCallableKeys).mockResolvedValue(new Set());
    left.leave();
    await left.text;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await stays.text).toContain("key_k");
  });

  it("is asked about once at a time, also when all others ended during a look", async () => {
    const first = openStream("key_l");
    let answer = (_: Set<string>) => {};
    vi.mocked(findCallableKeys).mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    first.leave();
    await first.text;
    const second = openStream("key_m");
    vi.mocked(findCallableKeys).mockResolvedValue(new Set(["key_m"]));
    answer(new Set());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(findCallableKeys).toHaveBeenCalledTimes(2);
    second.leave();
    await second.text;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("goes on while nobody can tell, and ends once somebody can", async () => {
    const { text } = openStream("key_i");
    vi.mocked(findCallableKeys).mockRejectedValueOnce(new Error("The database is away."));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    vi.mocked(findCallableKeys).mockResolvedValue(new Set());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await text).toContain("status");
  });
});
