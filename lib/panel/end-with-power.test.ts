import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endWithPower } from "@/lib/panel/end-with-power";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** An answer that comes piece by piece, as `say` has it. */
function slowAnswer() {
  const ended = vi.fn();
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      source = controller;
    },
    cancel: ended,
  });
  return {
    response: new Response(body, { status: 206, headers: { "Content-Type": "text/event-stream" } }),
    say: (text: string) => source?.enqueue(new TextEncoder().encode(text)),
    close: () => source?.close(),
    fail: () => source?.error(new Error("broken")),
    ended,
  };
}

const YES = async () => true;

describe("an answer of the panel that takes long", () => {
  it("is as it was for whoever may have it: status, headers and every piece", async () => {
    const { response, say, close } = slowAnswer();
    const isAllowed = vi.fn(YES);
    const answer = endWithPower(response, isAllowed);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([206, "text/event-stream"]);
    const text = answer.text();
    say("one ");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(isAllowed).toHaveBeenCalledTimes(4);
    say("two");
    close();
    expect(await text).toBe("one two");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("breaks off within seconds for whoever may not have it any more, and lets go of where it comes from", async () => {
    const { response, say, ended } = slowAnswer();
    let isMember = true;
    const reader = endWithPower(response, async () => isMember).body?.getReader();
    say("one");
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one");
    const next = expect(reader?.read()).rejects.toMatchObject({ name: "AbortError" });
    isMember = false;
    await vi.advanceTimersByTimeAsync(5_000);
    await next;
    expect(ended).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("goes on while nobody can tell", async () => {
    const { response, say, close } = slowAnswer();
    const answer = endWithPower(response, async () => {
      throw new Error("The database is away.");
    });
    const text = answer.text();
    await vi.advanceTimersByTimeAsync(20_000);
    say("all");
    close();
    expect(await text).toBe("all");
  });

  it("asks nothing before it is read, nor once its reader is gone or it broke", async () => {
    endWithPower(slowAnswer().response, YES);
    expect(vi.getTimerCount()).toBe(0);
    const [left, broken] = [slowAnswer(), slowAnswer()];
    await endWithPower(left.response, YES).body?.cancel();
    expect(left.ended).toHaveBeenCalledOnce();
    const begun = slowAnswer();
    const reader = endWithPower(begun.response, YES).body?.getReader();
    begun.say("one");
    await reader?.read();
    await reader?.cancel();
    expect(vi.getTimerCount()).toBe(0);
    const answer = endWithPower(broken.response, YES);
    broken.fail();
    await expect(answer.text()).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });
});
