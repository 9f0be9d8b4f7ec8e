import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { completeAnswersOfNext } from "@/lib/http/complete-answers-of-next";

const servers: ReturnType<typeof createServer>[] = [];

beforeAll(completeAnswersOfNext);
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** As Next does it: headers are set one by one, and the body goes out in pieces. */
async function ask(answer: RequestListener, path = "/"): Promise<Response> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { redirect: "manual" });
}

/** With the address as it is written: `fetch` would turn its slashes round. */
async function askAsIs(answer: RequestListener, path: string): Promise<IncomingMessage> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path }, (response) => resolve(response.resume())).on("error", reject);
  });
}

it("says how long a route's answer is, in the header that clients know alone", async () => {
  const response = await ask((_request, response) => {
    response.setHeader("x-service-content-length", "6");
    response.setHeader("X-Request-Id", "req_of_the_route");
    response.write("abc");
    response.end("def");
  });
  expect(response.headers.get("content-length")).toBe("6");
  expect(response.headers.get("x-service-content-length")).toBeNull();
  expect(response.headers.get("x-request-id")).toBe("req_of_the_route");
  expect(await response.text()).toBe("abcdef");
});

it("gives an answer of Next's own an id", async () => {
  const response = await ask((_request, response) => {
    response.statusCode = 500;
    response.end("Internal Server Error");
  });
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
});

it("says no length of an answer that was compressed on the way", async () => {
  const response = await ask((_request, response) => {
    response.setHeader("x-service-content-length", "600");
    response.setHeader("content-encoding", "identity");
    response.write("abc");
    response.end();
  });
  expect(response.headers.get("content-length")).toBeNull();
  expect(response.headers.get("x-service-content-length")).toBeNull();
});

describe("an answer of Next's own", () => {
  // Next changes the address before it answers.
  const redirect: RequestListener = (request, response) => {
    request.url = "/elsewhere";
    response.writeHead(308, { Location: "/elsewhere" });
    response.end();
  };

  it.each(["/api/v1/health/", "/api/v1/?x=1", "/b2b/webhooks/whk_1/test/"])("is never cached at %s", async (path) => {
    expect((await ask(redirect, path)).headers.get("cache-control")).toBe("no-store");
  });

  it.each(["//api/v1/health", "/\\api\\v1\\health", "///b2b//webhooks/whk_1/test"])(
    "is never cached where it leads to the API from an address with slashes too many or the wrong way, as at %s",
    async (path) => {
      expect((await askAsIs(redirect, path)).headers["cache-control"]).toBe("no-store");
    },
  );

  it.each(["/panel/", "/api/v10/"])("is Next's affair at %s", async (path) => {
    expect((await ask(redirect, path)).headers.get("cache-control")).toBeNull();
  });
});

it("leaves what a route says of caches", async () => {
  const response = await ask((_request, response) => {
    response.setHeader("cache-control", "no-store, no-transform");
    response.end();
  }, "/api/v1/chat/ses_1/stream");
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
});
