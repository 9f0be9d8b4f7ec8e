import { describe, expect, it } from "vitest";
import { boundBody } from "@/lib/http/bound-body";

const ADDRESS = "http://test.local/api/auth/signin?x=1";
const BOUNDS = { maxBytes: 1_000, isJson: false };

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
    const bounded = await boundBody(post("a=1&b=2", { cookie: "c=d", "content-type": "text/x" }), BOUNDS);
    if (!(bounded instanceof Request)) throw new Error(`Refused with ${bounded.status}.`);
    expect([bounded.url, bounded.method, await bounded.text()]).toEqual([ADDRESS, "POST", "a=1&b=2"]);
    expect([bounded.headers.get("cookie"), bounded.headers.get("content-type")]).toEqual(["c=d", "text/x"]);
  });

  it("leaves a request without a body as it is", async () => {
    const request = new Request(ADDRESS);
    expect(await boundBody(request, BOUNDS)).toBe(request);
  });

  it("refuses a body that says it is too large before reading it", async () => {
    const { read, stream } = endlessBody();
    const answer = await boundBody(post(stream, { "content-length": "1001" }), BOUNDS);
    expect([(answer as Response).status, read.bytes]).toEqual([413, 0]);
  });

  it("keeps no more of a body that does not say so than the limit", async () => {
    const { read, stream } = endlessBody();
    const answer = await boundBody(post(stream), BOUNDS);
    expect((answer as Response).status).toBe(413);
    // What was over, and the little that is dropped so that the answer arrives.
    expect(read.bytes).toBeLessThanOrEqual(6 * BOUNDS.maxBytes);
  });

  it.each(["{", "x", "", "-"])("refuses %j where the package would fail at what is no JSON", async (text) => {
    const stream = new Blob([text]).stream();
    const answer = (await boundBody(post(stream), { ...BOUNDS, isJson: true })) as Response;
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, "INVALID_JSON"]);
  });

  it("takes an empty body for none where a call may have none", async () => {
    const stream = new Blob([""]).stream();
    const bounded = await boundBody(post(stream), { ...BOUNDS, isJson: true, mayBeEmpty: true });
    expect([bounded instanceof Request, bounded.body]).toEqual([true, null]);
    const answer = await boundBody(post("{"), { ...BOUNDS, isJson: true, mayBeEmpty: true });
    expect((answer as Response).status).toBe(400);
  });

  it.each(['{"a":1}', "[]", "null", "\ufeff{}"])("hands the JSON %j on", async (text) => {
    expect(await boundBody(post(text), { ...BOUNDS, isJson: true })).toBeInstanceOf(Request);
  });
});
