import { describe, expect, it } from "vitest";
import { boundBody } from "@/lib/http/bound-body";

const ADDRESS = "http://test.local/api/auth/signin?x=1";
const MAX_BYTES = 1_000;

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request(ADDRESS, { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

/** A body that goes on for as long as somebody reads, and counts how much they did. */
function endlessBody() {
  const read = { bytes: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read.bytes += 100;
        controller.enqueue(new Uint8Array(100));
      },
    },
    { highWaterMark: 0 },
  );
  return { read, stream };
}

describe("boundBody", () => {
  it("hands a body within the limit on, with the address, method and headers of its request", async () => {
    const bounded = await boundBody(post("a=1&b=2", { cookie: "c=d", "content-type": "text/x" }), MAX_BYTES);
    if (!(bounded instanceof Request)) throw new Error(`Refused with ${bounded.status}.`);
    expect([bounded.url, bounded.method, await bounded.text()]).toEqual([ADDRESS, "POST", "a=1&b=2"]);
    expect([bounded.headers.get("cookie"), bounded.headers.get("content-type")]).toEqual(["c=d", "text/x"]);
  });

  it("leaves a request without a body as it is", async () => {
    const request = new Request(ADDRESS);
    expect(await boundBody(request, MAX_BYTES)).toBe(request);
  });

  it("refuses a body that says it is too large before reading it", async () => {
    const { read, stream } = endlessBody();
    const answer = await boundBody(post(stream, { "content-length": "1001" }), MAX_BYTES);
    expect([(answer as Response).status, read.bytes]).toEqual([413, 0]);
  });

  it("keeps no more of a body that does not say so than the limit", async () => {
    const { read, stream } = endlessBody();
    const answer = await boundBody(post(stream), MAX_BYTES);
    expect((answer as Response).status).toBe(413);
    // What was over, and the little that is dropped so that the answer arrives.
    expect(read.bytes).toBeLessThanOrEqual(6 * MAX_BYTES);
  });
});
