import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ForwardProxy, startForwardProxy } from "@/e2e/support/forward-proxy";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { outboundAgent, type ProxySettings } from "@/lib/outbound-agent";

/** A name that the proxy alone knows. */
const AWAY = "model.invalid";

const certificates = createTestCertificates({ names: [AWAY] });
const known = getCACertificates("default");
const plain = createHttpServer((_, answer) => answer.end("plain"));
const secure = createServer({ cert: certificates.certPem, key: certificates.keyPem }, (_, answer) => answer.end("tls"));
let proxy: ForwardProxy;

beforeAll(async () => {
  setDefaultCACertificates([...known, certificates.caPem]);
  proxy = await startForwardProxy();
  for (const server of [plain, secure]) await once(server.listen(0, "127.0.0.1"), "listening");
});

beforeEach(() => {
  proxy.asked.length = 0;
});

afterAll(async () => {
  setDefaultCACertificates(known);
  for (const server of [plain, secure]) server.close().closeAllConnections();
  await proxy.stop();
});

const portOf = (server: typeof plain | typeof secure) => (server.address() as AddressInfo).port;

async function ask(url: string, settings: ProxySettings): Promise<string> {
  const dispatcher = outboundAgent(settings, { connectTimeoutMs: 5_000 });
  try {
    return await (await request(url, { dispatcher })).body.text();
  } finally {
    await dispatcher.destroy();
  }
}

describe("a connection to a server that settings name", () => {
  it("goes by the proxy of its protocol, through a tunnel with TLS to the server itself", async () => {
    const HTTPS_PROXY = proxy.url.replace("//", "//user:p%40ss@");
    expect(await ask(`https://${AWAY}:${portOf(secure)}/v1`, { HTTPS_PROXY, HTTP_PROXY: "http://127.0.0.1:1" })).toBe(
      "tls",
    );
    const credentials = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
    expect(proxy.asked).toEqual([{ what: `CONNECT ${AWAY}:${portOf(secure)}`, credentials }]);
  });

  it("goes by it without a tunnel where there is no TLS: proxies open tunnels to few ports", async () => {
    const url = `http://${AWAY}:${portOf(plain)}/v1?a=b`;
    expect(await ask(url, { HTTP_PROXY: proxy.url })).toBe("plain");
    expect(proxy.asked).toEqual([{ what: `GET ${url}`, credentials: undefined }]);
  });

  it("goes past it to this machine, and to hosts that are named", async () => {
    const settings = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: `other.example, ${AWAY}` };
    for (const host of ["127.0.0.1", "localhost"])
      expect(await ask(`http://${host}:${portOf(plain)}`, settings)).toBe("plain");
    await expect(ask(`https://${AWAY}:${portOf(secure)}`, settings)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    expect(proxy.asked).toEqual([]);
  });

  it("fails where the proxy lets nobody through", async () => {
    const closed = await startForwardProxy({ refuse: 403 });
    await expect(ask(`https://${AWAY}:${portOf(secure)}`, { HTTPS_PROXY: closed.url })).rejects.toThrow("403");
    await closed.stop();
  });

  it("has no proxy where the settings name none, whatever the environment says", async () => {
    process.env.HTTP_PROXY = proxy.url;
    expect(await ask(`http://127.0.0.1:${portOf(plain)}`, {})).toBe("plain");
    await expect(ask(`http://${AWAY}:${portOf(plain)}`, {})).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    await expect(ask(`http://${AWAY}:${portOf(plain)}`, { HTTPS_PROXY: proxy.url })).rejects.toThrow(
      /ENOTFOUND|EAI_AGAIN/,
    );
    delete process.env.HTTP_PROXY;
    expect(proxy.asked).toEqual([]);
  });
});
