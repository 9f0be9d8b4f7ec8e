import { describe, expect, it } from "vitest";
import type { ModelMessage } from "@/lib/ai/model-message";
import { LARGE_PICTURE_BYTES, MAX_LARGE_REQUESTS, sendPictures } from "@/lib/services/turns/send-pictures";

const messageWith = (bytes: number): ModelMessage => ({
  role: "user",
  parts: [
    { type: "text", text: "What is it?" },
    { type: "image", mediaType: "image/png", bytes: new Uint8Array(bytes) },
  ],
});
const LARGE = [messageWith(LARGE_PICTURE_BYTES / 2), messageWith(LARGE_PICTURE_BYTES / 2 + 1)];
const SMALL = [messageWith(LARGE_PICTURE_BYTES)];

/** Begins twice as many requests as large ones may be under way, and lets all of them be answered. */
async function beginMany(
  messages: ModelMessage[],
  lane = "",
): Promise<{ began: () => number; end: () => Promise<void> }> {
  const answered = Promise.withResolvers<void>();
  let count = 0;
  const asked = Array.from({ length: 2 * MAX_LARGE_REQUESTS }, () =>
    sendPictures(
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

describe("requests with many bytes of pictures", () => {
  it("are a few at a time, over all messages of each, and all are sent in the end", async () => {
    const { began, end } = await beginMany(LARGE);
    expect(began()).toBe(MAX_LARGE_REQUESTS);
    await end();
    expect(began()).toBe(2 * MAX_LARGE_REQUESTS);
  });

  it("keep no others waiting", async () => {
    const large = await beginMany(LARGE);
    const small = await beginMany(SMALL);
    expect(small.began()).toBe(2 * MAX_LARGE_REQUESTS);
    await Promise.all([large.end(), small.end()]);
  });

  it("end with the turn's own reason where it is stopped while it waits", async () => {
    const { end } = await beginMany(LARGE);
    const stop = new AbortController();
    const asked = sendPictures(LARGE, async () => "an answer", { signal: stop.signal });
    stop.abort(new Error("canceled"));
    await expect(asked).rejects.toThrow("canceled");
    await end();
  });
});
