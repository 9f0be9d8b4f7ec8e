import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BROKEN_OFF_SCRIPT, CUT_DIGEST } from "@/components/ui/broken-off";
import { LEAVES_WITHIN_MS } from "@/components/ui/leave-for";

/** What the script finds in a browser, and what stands in for the network: each test answers what was asked, or breaks it off. */
let page: EventTarget & { fetch: typeof fetch };
let network: PromiseWithResolvers<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  network = Promise.withResolvers();
  open(() => network.promise);
});

/** A page with such a network on which the script has run. */
function open(ask: (address: string) => Promise<Response>): void {
  page = Object.assign(new EventTarget(), { fetch: ask as typeof fetch });
  const location = new URL("https://service.example/panel/usage?range=7d&x=a%20b");
  const run = new Function("window", "addEventListener", "location", BROKEN_OFF_SCRIPT);
  run(page, page.addEventListener.bind(page), location);
}

afterEach(() => {
  vi.useRealTimers();
});

const BROKEN = new TypeError("NetworkError when attempting to fetch resource.");

async function leave(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
  page.dispatchEvent(new Event("beforeunload"));
}

/** An answer of which one part has come, and what breaks it off or ends it. */
function inParts(type: string) {
  let rest: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      rest = controller;
      controller.enqueue(new TextEncoder().encode("one "));
    },
  });
  network.resolve(new Response(body, { headers: { "content-type": type } }));
  return {
    end: (text: string) => {
      rest?.enqueue(new TextEncoder().encode(text));
      rest?.close();
    },
    breakOff: () => rest?.error(BROKEN),
  };
}

/** What became of a promise so far. */
function follow(promise: Promise<unknown>): { said: unknown } {
  const followed: { said: unknown } = { said: "nothing" };
  promise.then(
    (value) => {
      followed.said = value;
    },
    (error) => {
      followed.said = error;
    },
  );
  return followed;
}

describe("what a page asked for that is broken off as its reader leaves", () => {
  it("is no error while the next page may come, and is one where it stays", async () => {
    const asked = follow(page.fetch("/panel/usage"));
    await leave();
    network.reject(BROKEN);
    await vi.advanceTimersByTimeAsync(LEAVES_WITHIN_MS - 10);
    expect(asked.said).toBe("nothing");
    await vi.advanceTimersByTimeAsync(10);
    expect(asked.said).toBe(BROKEN);
  });

  it("is no error in the middle of a page for Next either", async () => {
    const asked = page.fetch("/panel/usage");
    const parts = inParts("text/x-component; charset=utf-8");
    const { body } = await asked;
    const read = follow(new Response(body).text());
    await leave();
    parts.breakOff();
    await vi.advanceTimersByTimeAsync(LEAVES_WITHIN_MS - 10);
    expect(read.said).toBe("nothing");
    await vi.advanceTimersByTimeAsync(10);
    expect(read.said).toBe(BROKEN);
  });
});

describe("what breaks off within its text", () => {
  it("fails as a whole for whoever has sent something: of what came nothing is shown", async () => {
    const sent = follow(page.fetch("/panel/usage", { method: "POST" }));
    const parts = inParts("text/x-component");
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.said).toBe("nothing");
    parts.breakOff();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.said).toBe(BROKEN);
  });

  it("says of another page, which is shown as it comes, that its connection broke", async () => {
    const asked = page.fetch("/panel/sessions", { headers: { rsc: "1" } });
    const parts = inParts("text/x-component");
    const reader = (await asked).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one ");
    parts.breakOff();
    await expect(reader?.read()).rejects.toMatchObject({ digest: CUT_DIGEST });
  });
});

describe("everything else that a page asks for", () => {
  it("comes whole, whether Next reads it or not", async () => {
    for (const type of ["text/x-component", "application/json"]) {
      network = Promise.withResolvers();
      const asked = page.fetch("/panel/usage");
      inParts(type).end("two");
      const answer = await asked;
      expect(answer.ok).toBe(true);
      expect(await new Response(answer.body).text()).toBe("one two");
    }
  });

  it("fails at once where nobody leaves, where it was asked for since, and where the page gave it up itself", async () => {
    const staying = follow(page.fetch("/a"));
    network.reject(BROKEN);
    await vi.advanceTimersByTimeAsync(0);
    expect(staying.said).toBe(BROKEN);

    network = Promise.withResolvers();
    const gaveUp = new AbortController();
    const given = follow(page.fetch("/b", { signal: gaveUp.signal }));
    await leave();
    gaveUp.abort();
    network.reject(BROKEN);
    await vi.advanceTimersByTimeAsync(1);
    expect(given.said).toBe(BROKEN);

    network = Promise.withResolvers();
    const later = follow(page.fetch("/c"));
    network.reject(BROKEN);
    await vi.advanceTimersByTimeAsync(0);
    expect(later.said).toBe(BROKEN);
  });
});

describe("a page that draws itself anew", () => {
  const ADDRESS = "/panel/usage?range=7d&x=a%20b&_rsc=1a2b";
  const DRAWN_ANEW = { headers: { rsc: "1" } };
  let isThere: boolean;

  beforeEach(() => {
    isThere = false;
    open((address) =>
      isThere
        ? Promise.resolve(new Response(address, { headers: { "content-type": "text/x-component" } }))
        : Promise.reject(BROKEN),
    );
  });

  it("is asked for again once the service answers, and fails for nobody", async () => {
    const drawn = follow(page.fetch(ADDRESS, DRAWN_ANEW).then((answer) => new Response(answer.body).text()));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(drawn.said).toBe("nothing");
    isThere = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(drawn.said).toBe(ADDRESS);
  });

  it.each([
    ["another page", "/panel/sessions?_rsc=1", DRAWN_ANEW],
    ["the page with another search", "/panel/usage?range=30d&_rsc=1", DRAWN_ANEW],
    ["a page that is looked up early", ADDRESS, { headers: { rsc: "1", "next-router-prefetch": "1" } }],
    ["what is sent", ADDRESS, { ...DRAWN_ANEW, method: "POST" }],
    ["what is no page", ADDRESS, {}],
  ])("is not %s: that fails at once", async (_what, address, init) => {
    const asked = follow(page.fetch(address, init));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.said).toBe(BROKEN);
  });

  /** So many answers break off within their text, each after its first word. @returns how often the page was asked for */
  function breakOff(breaks: number): { asked: () => number } {
    let count = 0;
    open((address) => {
      if (!address.startsWith(ADDRESS)) return Promise.resolve(new Response());
      network = Promise.withResolvers();
      const parts = inParts("text/x-component");
      if (count++ < breaks) parts.breakOff();
      else parts.end("two");
      return network.promise;
    });
    return { asked: () => count };
  }

  it("is asked for again where it breaks off within its text, and comes whole", async () => {
    const { asked } = breakOff(2);
    const drawn = follow(page.fetch(ADDRESS, DRAWN_ANEW).then((answer) => new Response(answer.body).text()));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([drawn.said, asked()]).toEqual(["nothing", 2]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([drawn.said, asked()]).toEqual(["one two", 3]);
  });

  it("is given up once it has broken off five times", async () => {
    const { asked } = breakOff(Number.POSITIVE_INFINITY);
    const drawn = follow(page.fetch(ADDRESS, DRAWN_ANEW));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([drawn.said, asked()]).toEqual([BROKEN, 5]);
  });

  it("gives up what the page gave up itself", async () => {
    const gaveUp = new AbortController();
    const asked = follow(page.fetch(ADDRESS, { ...DRAWN_ANEW, signal: gaveUp.signal }));
    await vi.advanceTimersByTimeAsync(10);
    expect(asked.said).toBe("nothing");
    gaveUp.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked.said).toBe(BROKEN);
  });
});
