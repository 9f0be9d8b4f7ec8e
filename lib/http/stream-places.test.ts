import { beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { sseResponse } from "@/lib/http/sse";
import { takeStreamPlace } from "@/lib/http/stream-places";

beforeAll(() => {
  Object.assign(process.env, { STREAMS_PER_KEY: "2", LOG_LEVEL: "silent" });
});

/** The code of a refusal; undefined when there is a place. */
function refusalOf(apiKeyId: string): string | undefined {
  try {
    takeStreamPlace(apiKeyId)();
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
    first();
    expect(refusalOf("key_a")).toBeUndefined();
    second();
  });

  it("come back once, however often a stream says that it is over", () => {
    const [first, second] = [takeStreamPlace("key_c"), takeStreamPlace("key_c")];
    first();
    first();
    const third = takeStreamPlace("key_c");
    expect(refusalOf("key_c")).toBe("RATE_LIMITED");
    second();
    third();
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
      const onEnd = takeStreamPlace("key_d");
      const other = takeStreamPlace("key_d");
      await read(sseResponse(source as () => AsyncGenerator<never>, { pingSeconds: 600, onEnd }));
      expect(refusalOf("key_d")).toBeUndefined();
      other();
    }
  });
});
