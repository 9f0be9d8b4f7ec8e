import { afterEach, describe, expect, it } from "vitest";
import { answerBeforeStop, endCalls } from "@/inngest/calls-under-way";

const LONG_MS = 60_000;

let work: ReturnType<typeof Promise.withResolvers<Response>>;

/** A call whose function is at work until `work` says what came of it. */
function begin(): Promise<Response> {
  work = Promise.withResolvers();
  return answerBeforeStop(work.promise);
}

afterEach(() => work.resolve(new Response()));

describe("a stop while a real Inngest's call is under way", () => {
  it("waits for the function's own answer", async () => {
    const answer = begin();
    let isOver = false;
    const over = endCalls(LONG_MS).then(() => {
      isOver = true;
    });
    const own = new Response("done");
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    work.resolve(own);
    expect(await answer).toBe(own);
    await over;
  });

  it("has one that takes longer made again soon, and lets it fail unheard", async () => {
    const answer = begin();
    await endCalls(0);
    const { status, headers } = await answer;
    expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    work.reject(new Error("The database was closed."));
  });

  it("waits for none that has ended, whatever came of it", async () => {
    const failed = begin();
    work.reject(new Error("A fault"));
    await expect(failed).rejects.toThrow("A fault");
    const answered = begin();
    work.resolve(new Response());
    await answered;
    await endCalls(LONG_MS);
  });
});
