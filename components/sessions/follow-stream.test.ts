import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followStream, SIGN_OF_LIFE_SECONDS } from "@/components/sessions/follow-stream";

const encoder = new TextEncoder();

/** A line to a server that a test speaks for. */
class Line {
  readonly #pieces: ReadableStreamDefaultController<Uint8Array>[] = [];
  readonly response = new Response(
    new ReadableStream<Uint8Array>({ start: (controller) => void this.#pieces.push(controller) }),
    { headers: { "content-type": "text/event-stream; charset=utf-8" } },
  );
  isLeft = false;

  say(text: string): void {
    this.#pieces[0]?.enqueue(encoder.encode(text));
  }

  end(): void {
    this.#pieces[0]?.close();
  }

  fail(error: Error): void {
    this.#pieces[0]?.error(error);
  }
}

type Answer = Line | Response | Error | "nothing";

/** Follows a stream whose calls are answered in turn. @returns what its follower heard, and with which ids it asked */
function follow(...answers: Answer[]) {
  const heard: string[] = [];
  const asked: (string | null)[] = [];
  const leave = new AbortController();
  vi.stubGlobal("fetch", (_href: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get("last-event-id"));
    const answer = answers.shift() ?? "nothing";
    return new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener("abort", () => {
        const error = new DOMException("left", "AbortError");
        if (answer instanceof Line && !answer.isLeft) {
          answer.isLeft = true;
          answer.fail(error);
        }
        reject(error);
      });
      if (answer instanceof Error) reject(answer);
      else if (answer instanceof Line) resolve(answer.response);
      else if (answer !== "nothing") resolve(answer);
    });
  });
  const followed = followStream(
    "/stream",
    {
      onConnected: () => heard.push("connected"),
      onBroken: () => heard.push("broken"),
      onEvent: (event, data) => heard.push(`${event} ${data}`),
      onRefused: () => heard.push("refused"),
    },
    leave.signal,
  );
  return { heard, asked, leave: () => leave.abort(), followed };
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

describe("followStream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("goes on behind the last event after the server has ended the stream", async () => {
    const [first, second] = [new Line(), new Line()];
    const { heard, asked, leave } = follow(first, second);
    first.say("event: status\ndata: {}\n\nid: 4\nevent: chunk\nda");
    first.say("ta: one\n\n");
    await seconds(0);
    first.end();
    await seconds(1);
    second.say("id: 5\nevent: chunk\ndata: two\n\n");
    await seconds(0);
    expect(heard).toEqual(["connected", "status {}", "chunk one", "broken", "connected", "chunk two"]);
    expect(asked).toEqual([null, "4"]);
    leave();
  });

  it.each([429, 500, 502, 503, 504])("asks again after a %i", async (status) => {
    const line = new Line();
    const { heard, leave } = follow(new Response("<html>", { status }), line);
    await seconds(1);
    line.say("event: chunk\ndata: one\n\n");
    await seconds(0);
    expect(heard).toEqual(["broken", "connected", "chunk one"]);
    leave();
  });

  it.each([204, 400, 401, 403, 404])("takes a %i for the end", async (status) => {
    const { heard, asked, followed } = follow(new Response(null, { status }));
    await followed;
    await seconds(60);
    expect(heard).toEqual(["refused"]);
    expect(asked).toHaveLength(1);
  });

  it("takes a page in place of a stream for the end", async () => {
    const { heard, followed } = follow(new Response("<html>", { headers: { "content-type": "text/html" } }));
    await followed;
    expect(heard).toEqual(["refused"]);
  });

  it("waits longer from try to try while nothing answers, and no longer once it was there again", async () => {
    const line = new Line();
    const away = new TypeError("Failed to fetch");
    const { asked, leave } = follow(away, away, away, away, line, away);
    await seconds(1 + 2 + 4);
    expect(asked).toHaveLength(4);
    await seconds(4);
    expect(asked).toHaveLength(5);
    line.end();
    await seconds(1);
    expect(asked).toHaveLength(6);
    leave();
  });

  it.each([
    ["5", 5],
    ["86400", 30],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 1],
  ])("stays away for as long as the server asks with Retry-After: %s, within bounds", async (asks, waits) => {
    const { asked, leave } = follow(new Response(null, { status: 503, headers: { "retry-after": asks } }));
    await seconds(waits - 0.001);
    expect(asked).toHaveLength(1);
    await seconds(0.001);
    expect(asked).toHaveLength(2);
    leave();
  });

  it("gives up a line that went silent without a word, and goes on where it was", async () => {
    const [first, second] = [new Line(), new Line()];
    const { heard, asked, leave } = follow(first, second);
    first.say("id: 9\nevent: chunk\ndata: one\n\n");
    await seconds(SIGN_OF_LIFE_SECONDS * 3);
    second.say("id: 10\nevent: chunk\ndata: two\n\n");
    await seconds(0);
    expect(heard).toEqual(["connected", "chunk one", "broken", "connected", "chunk two"]);
    expect(asked).toEqual([null, "9"]);
    leave();
  });

  it("stays with a line that gives signs of life, however long it says nothing", async () => {
    const line = new Line();
    const { heard, asked, leave } = follow(line);
    for (let sign = 0; sign < 100; sign += 1) {
      line.say(": ping\n\n");
      await seconds(SIGN_OF_LIFE_SECONDS);
    }
    expect(heard).toEqual(["connected"]);
    expect(asked).toHaveLength(1);
    leave();
  });

  it("asks again where a server takes the call and never answers", async () => {
    const { heard, asked, leave } = follow("nothing", "nothing");
    await seconds(SIGN_OF_LIFE_SECONDS * 3);
    expect(heard).toEqual(["broken"]);
    expect(asked).toHaveLength(2);
    leave();
  });

  it("leaves its line, and says nothing more, once its follower has gone", async () => {
    const line = new Line();
    const { heard, asked, leave, followed } = follow(line);
    await seconds(0);
    leave();
    await followed;
    await seconds(60);
    expect(line.isLeft).toBe(true);
    expect(heard).toEqual(["connected"]);
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends its wait for the next try once its follower has gone", async () => {
    const { leave, followed } = follow(new TypeError("Failed to fetch"));
    await seconds(0.5);
    leave();
    await followed;
    expect(vi.getTimerCount()).toBe(0);
  });
});
