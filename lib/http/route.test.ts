import { beforeAll, describe, expect, it, vi } from "vitest";
import { getHealthEndpoint } from "@/lib/contracts/health";
import { endpoint } from "@/lib/http/endpoint";
import { definitionOf, route } from "@/lib/http/route";
import { sseResponse } from "@/lib/http/sse";

const URL = "https://service.test/api/v1/x";

beforeAll(() => {
  process.env.LOG_LEVEL = "silent";
});

const health = endpoint(getHealthEndpoint, () => ({ status: "ok" as const, version: "1.0.0", endpoints: {} }));

describe("route", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
    "answers 405 with Allow to %s on a path that has GET alone",
    async (method) => {
      const response = await route({ GET: health })[method](new Request(URL, { method }), {});
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("x-request-id")).toMatch(/^req_/);
      expect(await response.json()).toMatchObject({
        error: { code: "METHOD_NOT_ALLOWED", message: expect.stringContaining(method) },
      });
    },
  );

  it("answers 405 to HEAD on a path without GET", async () => {
    const response = await route({ POST: health }).HEAD(new Request(URL, { method: "HEAD" }), {});
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("answers HEAD as GET, without the body", async () => {
    const response = await route({ GET: health }).HEAD(new Request(URL, { method: "HEAD" }), {});
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
    const body = await (await route({ GET: health }).GET(new Request(URL), {})).text();
    expect(response.headers.get("content-length"), "of the GET").toBe(String(Buffer.byteLength(body)));
    expect(await response.text()).toBe("");
  });

  it("leaves no stream open behind a HEAD", async () => {
    const place = { occupy: vi.fn(), free: vi.fn() };
    async function* source() {
      yield { event: "status", data: "started" };
    }
    const stream = endpoint(getHealthEndpoint, () => sseResponse(source, { pingSeconds: 600, place }));
    const response = await route({ GET: stream }).HEAD(new Request(URL, { method: "HEAD" }), {});
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "text/event-stream; charset=utf-8",
      "",
    ]);
    expect(place.free).toHaveBeenCalledTimes(1);
  });

  it("says which methods there are", async () => {
    const response = await route({ GET: health, POST: health }).OPTIONS(new Request(URL, { method: "OPTIONS" }), {});
    expect(response.status).toBe(204);
    expect(response.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
  });
});

describe("definitionOf", () => {
  it("looks at the functions of a route file alone: it may also say something to Next", () => {
    expect(definitionOf({ dynamic: "force-dynamic" })).toBeUndefined();
    expect(definitionOf({ dynamic: "force-dynamic", GET: health })).toBe(getHealthEndpoint);
  });
});
