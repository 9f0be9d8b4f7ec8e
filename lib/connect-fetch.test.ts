import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { startForwardProxy } from "@/e2e/support/forward-proxy";
import { connectFetch } from "@/lib/connect-fetch";

it("has every fetch go by the network's proxy, also those of libraries", async () => {
  const server = createServer((_, answer) => answer.end("there"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const proxy = await startForwardProxy();
  connectFetch({ HTTP_PROXY: proxy.url });
  const url = `http://store.invalid:${(server.address() as AddressInfo).port}/file`;
  expect(await (await fetch(url, { method: "PUT", body: "bytes" })).text()).toBe("there");
  expect(proxy.asked).toEqual([{ what: `PUT ${url}`, credentials: undefined }]);
  await proxy.stop();
  server.close();
});
