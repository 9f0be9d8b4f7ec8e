import { describe, expect, it } from "vitest";
import type { ModelMessage } from "@/lib/ai/model-message";
import { askWithRoom, LARGE_REQUEST_BYTES, MAX_MB_UNDER_WAY } from "@/lib/services/turns/ask-with-room";

const MB = 1024 * 1024;
const QUESTION = "What is it?";
const messageWith = (bytes: number): ModelMessage => ({
  role: "user",
  parts: [
    { type: "text", text: QUESTION },
    { type: "image", mediaType: "image/png", bytes: new Uint8Array(bytes - QUESTION.length) },
  ],
});
/** Of 12 MB. */
const LARGE = [messageWith(5 * MB), messageWith(7 * MB)];
const LONG: ModelMessage[] = [{ role: "user", parts: [{ type: "text", text: "a".repeat(12 * MB) }] }];
const SMALL = [messageWith(LARGE_REQUEST_BYTES)];
const ROOM = MAX_MB_UNDER_WAY / 12;

/** Begins twice as many requests as there is room for large ones, and lets all of them be answered. */
async function beginMany(
  messages: ModelMessage[],
  lane = "",
): Promise<{ began: () => number; end: () => Promise<void> }> {
  const answered = Promise.withResolvers<void>();
  let count = 0;
  const asked = Array.from({ length: 2 * ROOM }, () =>
    askWithRoom(
      messages,
      () => {
        count += 1;
        return answered.promise;
      },
      { lane },
    ),
  );
  const end = async () => {
    answered.resolve();
    await Promise.all(asked);
  };
  return { began: () => count, end };
}

describe("large requests", () => {
  it.each([
    ["pictures, over all messages", LARGE],
    ["text", LONG],
  ])("are under way as far as there is room for their bytes, and all are sent in the end: %s", async (_, messages) => {
    const { began, end } = await beginMany(messages);
    expect(began()).toBe(ROOM);
    await end();
    expect(began()).toBe(2 * ROOM);
  });

  it("keep no others waiting", async () => {
    const large = await beginMany(LARGE);
    const small = await beginMany(SMALL);
    expect(small.began()).toBe(2 * ROOM);
    await Promise.all([large.end(), small.end()]);
  });

  it("end with the turn's own reason where it is stopped while it waits", async () => {
    const { end } = await beginMany(LARGE);
    const stop = new AbortController();
    const asked = askWithRoom(LARGE, async () => "an answer", { signal: stop.signal });
    stop.abort(new Error("canceled"));
    await expect(asked).rejects.toThrow("canceled");
    await end();
  });
});
