import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { createEgressClient, type EgressClient, type EgressOptions, MAX_RESPONSE_BYTES } from "@/lib/net/egress-client";

const REQUEST = { headers: { "Content-Type": "application/json" }, body: Buffer.from('{"text":"äöü 🙂"}') };
const clients: EgressClient[] = [];
let receiver: HttpsReceiver;

function makeClient(options: Partial<EgressOptions> = {}): EgressClient {
  const client = createEgressClient({
    timeoutMs: 5_000,
    allowedHosts: ["localhost"],
    extraCa: receiver.caPem,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  clients.push(client);
  return client;
}

/** The error code of a failed request; undefined when there was a response. */
async function errorCodeOf(client: EgressClient, url: string): Promise<string | undefined> {
  const result = await client.post(url, REQUEST);
  return "error" in result ? result.error.code : undefined;
}

beforeAll(async () => {
  receiver = await startHttpsReceiver();
});
afterEach(async () => {
  receiver.behave({ kind: "ok" });
  receiver.requests.length = 0;
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => receiver.close());

describe("sending", () => {
  it("delivers the exact bytes with the given headers and gives back status, headers and body", async () => {
    receiver.behave({ kind: "ok", status: 201, body: "thanks", headers: { "x-note": "a" } });
    const result = await makeClient().post(`${receiver.url}/hooks?a=1&b=%20#part`, REQUEST);
    expect(result).toMatchObject({ status: 201, headers: { "x-note": "a" }, body: Buffer.from("thanks") });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
    expect(receiver.requests).toMatchObject([{ method: "POST", path: "/hooks?a=1&b=%20" }]);
    expect(receiver.requests[0]?.body.equals(REQUEST.body)).toBe(true);
    expect(receiver.requests[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(REQUEST.body.length),
      host: `localhost:${receiver.port}`,
    });
  });

  it("keeps connections of an origin alive", async () => {
    const client = makeClient();
    const before = receiver.connectionCount();
    for (let index = 0; index < 10; index += 1) await client.post(receiver.url, REQUEST);
    // One more may open while the first is still being handed back.
    expect(receiver.connectionCount() - before).toBeLessThanOrEqual(2);
  });

  it("makes its connections anew after a minute, with the name looked up again", async () => {
    const resolve = vi.fn(async () => ["127.0.0.1"]);
    const client = makeClient({ resolve });
    const startedAt = Date.now();
    for (let index = 0; index < 3; index += 1) await client.post(receiver.url, REQUEST);
    const lookups = resolve.mock.calls.length;
    const now = vi.spyOn(Date, "now").mockReturnValue(startedAt + 61_000);
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ status: 200 });
    now.mockRestore();
    expect(resolve).toHaveBeenCalledTimes(lookups + 1);
  });

  it("does not follow redirects: a 3xx is simply the response", async () => {
    const other = await startHttpsReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.behave({ kind: "redirect", location: `${other.url}/`, status });
      const result = await makeClient().post(receiver.url, REQUEST);
      expect(result).toMatchObject({ status, headers: { location: `${other.url}/` } });
    }
    expect(other.connectionCount()).toBe(0);
    await other.close();
  });

  it.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["two of them with headers", "HTTP/1.1 100 Continue\r\nServer: a\r\n\r\nHTTP/1.0 100 \r\n\r\n"],
    ["103 Early Hints", "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"],
    ["102 Processing and 100 Continue", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"],
  ])("waits for the answer behind an interim one that nobody asked for: %s", async (_what, interim) => {
    receiver.behave({ kind: "raw", text: `${interim}HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\nthanks` });
    expect(await makeClient().post(receiver.url, REQUEST)).toMatchObject({ status: 201, body: Buffer.from("thanks") });
  });

  it.each([400, 404, 429, 500, 503])("gives back a %d as a response", async (status) => {
    receiver.behave({ kind: "fail", status });
    expect(await makeClient().post(receiver.url, REQUEST)).toMatchObject({ status });
  });
});

describe("limits", () => {
  it("reads no more than 64 KB of a response and drops the connection", async () => {
    // More than that would be waited for in vain.
    receiver.behave({ kind: "huge", bytes: 2 * MAX_RESPONSE_BYTES, isLeftOpen: true });
    const result = await makeClient().post(receiver.url, REQUEST);
    expect(result).toMatchObject({ status: 200 });
    expect("body" in result && result.body.length).toBe(MAX_RESPONSE_BYTES);
    expect(result).not.toHaveProperty("incomplete");
    await expect.poll(() => receiver.openCount()).toBe(0);
  });

  it.each([{ kind: "hang" }, { kind: "slow", delayMs: 3_000 }] as const)(
    "gives up at the deadline when the receiver does this: $kind",
    async (behaviour) => {
      receiver.behave(behaviour);
      const result = await makeClient({ timeoutMs: 300 }).post(receiver.url, REQUEST);
      expect(result).toMatchObject({ error: { code: "TIMEOUT" } });
      expect(result.durationMs).toBeGreaterThanOrEqual(295);
      expect(result.durationMs).toBeLessThan(2_900);
    },
  );

  it("keeps no connection to a receiver that it has given up", async () => {
    receiver.behave({ kind: "hang" });
    await makeClient({ timeoutMs: 100 }).post(receiver.url, REQUEST);
    expect(receiver.requests).toHaveLength(1);
    await expect.poll(() => receiver.openCount()).toBe(0);
  });

  it("counts the name look-up into the deadline", async () => {
    const client = makeClient({ timeoutMs: 200, resolve: () => new Promise(() => {}) });
    expect(await errorCodeOf(client, receiver.url)).toBe("TIMEOUT");
  });

  it("serves other requests to the same and to other origins while 200 to that origin hang", async () => {
    const other = await startHttpsReceiver({ certificates: createTestCertificates() });
    const client = makeClient({ extraCa: receiver.caPem + other.caPem, timeoutMs: 10_000 });
    receiver.behave(({ path }) => ({ kind: path === "/hang" ? "hang" : "ok" }));
    // Ten receivers of one host, each with all the places that the queue gives it.
    const hanging = Array.from({ length: 200 }, () => client.post(`${receiver.url}/hang`, REQUEST));
    await receiver.waitForRequests(200);
    const quick = await Promise.all([receiver.url, other.url, receiver.url].map((url) => client.post(url, REQUEST)));
    for (const result of quick) expect(result).toMatchObject({ status: 200 });
    expect(Math.max(...quick.map(({ durationMs }) => durationMs))).toBeLessThan(9_000);
    await client.close();
    for (const result of await Promise.all(hanging)) expect(result).toHaveProperty("error");
    await other.close();
  });
});

describe("a body that does not come to its end", () => {
  it.each([200, 307, 503])("does not take a %d away, nor what came of it: not at the deadline", async (status) => {
    receiver.behave({ kind: "drip", everyMs: 20, status });
    const result = await makeClient({ timeoutMs: 300 }).post(receiver.url, REQUEST);
    expect(result).toMatchObject({ status, incomplete: { code: "TIMEOUT" } });
    expect("body" in result && result.body.toString()).toMatch(/^\.+$/);
    expect(result.durationMs).toBeGreaterThanOrEqual(295);
    expect(result.durationMs).toBeLessThan(2_900);
  });

  it("is given no time below nothing when its headers are read after the deadline: Node would say so in the log", async () => {
    const timer = vi.spyOn(globalThis, "setTimeout");
    const late = performance.now() + 10_000;
    let now: { mockRestore(): void } | undefined;
    // A process that was busy for so long takes the headers before it looks at its timers.
    receiver.behave(() => {
      now = vi.spyOn(performance, "now").mockReturnValue(late);
      return { kind: "drip", everyMs: 60_000, status: 202 };
    });
    const result = await makeClient({ timeoutMs: 3_000 }).post(receiver.url, REQUEST);
    now?.mockRestore();
    const waits = timer.mock.calls.map(([, ms]) => ms ?? 0);
    timer.mockRestore();
    expect(result).toMatchObject({ status: 202, incomplete: { code: "TIMEOUT" } });
    expect(waits.filter((ms) => ms < 0)).toEqual([]);
  });

  it.each([204, 500])("does not take a %d away when nothing of it comes", async (status) => {
    receiver.behave({ kind: "drip", everyMs: 60_000, status });
    const result = await makeClient({ timeoutMs: 300 }).post(receiver.url, REQUEST);
    expect(result).toMatchObject({ status, body: Buffer.alloc(0) });
  });

  it.each([201, 404])("does not take a %d away, nor what came of it: not when it is cut off", async (status) => {
    receiver.behave({ kind: "cut", status });
    const result = await makeClient().post(receiver.url, REQUEST);
    expect(result).toMatchObject({ status, body: Buffer.from("half"), incomplete: { code: "CONNECTION_LOST" } });
  });

  it("is dropped with its connection, and the next request goes over another one", async () => {
    const client = makeClient({ timeoutMs: 300 });
    receiver.behave({ kind: "drip", everyMs: 20 });
    await client.post(receiver.url, REQUEST);
    const before = receiver.connectionCount();
    receiver.behave({ kind: "ok" });
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ status: 200, body: Buffer.from("received") });
    expect(receiver.connectionCount()).toBe(before + 1);
  });

  it("is no fault of one that is longer than 64 KB", async () => {
    receiver.behave({ kind: "huge", bytes: 1_000_000 });
    expect(await makeClient().post(receiver.url, REQUEST)).not.toHaveProperty("incomplete");
  });
});

describe("faults of the receiver", () => {
  it("never throws, but names what happened", async () => {
    const closed = await startHttpsReceiver();
    await closed.close();
    expect(await errorCodeOf(makeClient(), closed.url)).toBe("CONNECTION_FAILED");
    receiver.behave({ kind: "reset" });
    expect(await errorCodeOf(makeClient(), receiver.url)).toBe("CONNECTION_LOST");
    receiver.behave({ kind: "raw", text: "SSH-2.0-OpenSSH_9.6\r\n" });
    expect(await errorCodeOf(makeClient(), receiver.url)).toBe("INVALID_RESPONSE");
    for (const lengths of [
      "Content-Length: 2\r\nContent-Length: 2",
      "Content-Length: 2\r\nTransfer-Encoding: chunked",
    ]) {
      receiver.behave({ kind: "raw", text: `HTTP/1.1 200 OK\r\n${lengths}\r\n\r\n2\r\nok\r\n0\r\n\r\n` });
      expect(await errorCodeOf(makeClient(), receiver.url), lengths).toBe("INVALID_RESPONSE");
    }
    receiver.behave({ kind: "ok", headers: { "x-long": "x".repeat(17_000) } });
    expect(await errorCodeOf(makeClient(), receiver.url)).toBe("INVALID_RESPONSE");
    const resolve = async () => Promise.reject(new Error("queryA ESERVFAIL ns1.inside"));
    expect(await makeClient({ resolve }).post(receiver.url, REQUEST)).toMatchObject({
      error: { code: "NAME_NOT_RESOLVED", message: "The host's name could not be resolved." },
    });
  });

  it.each([
    [
      "signed by an unknown authority",
      createTestCertificates(),
      "",
      /leaves out the certificates in between.* \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\.$/,
    ],
    [
      "for another name",
      createTestCertificates({ names: ["other.test"] }),
      "own",
      /is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
    ],
    ["expired", createTestCertificates({ isExpired: true }), "own", /has expired \(CERT_HAS_EXPIRED\)\.$/],
  ])("refuses a certificate that is %s, and says so in words", async (_what, certificates, trust, words) => {
    const bad = await startHttpsReceiver({ certificates });
    const client = makeClient({ extraCa: trust === "own" ? certificates.caPem : receiver.caPem });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await client.post(bad.url, REQUEST)).toMatchObject({
        error: { code: "TLS_FAILED", message: expect.stringMatching(words) },
      });
    }
    expect(bad.requests).toEqual([]);
    await bad.close();
  });

  it("says of one that wants a certificate of its caller that it does, though it ends the connection once that was made", async () => {
    const { certPem: cert, keyPem: key, caPem } = createTestCertificates();
    const server = createServer({ cert, key, ca: caPem, requestCert: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await makeClient({ extraCa: caPem }).post(`https://localhost:${port}/`, REQUEST)).toMatchObject({
      error: { code: "TLS_FAILED", message: expect.stringContaining("it wants a certificate of its caller") },
    });
    server.close();
  });

  it("trusts the system's authorities, beside the operator's own one and where there is none", async () => {
    const known = getCACertificates("default");
    const usual = { timeoutMs: 5_000, allowedHosts: ["localhost"], resolve: async () => ["127.0.0.1"] };
    const alone = () => {
      const client = createEgressClient(usual);
      clients.push(client);
      return client;
    };
    expect(await errorCodeOf(alone(), receiver.url)).toBe("TLS_FAILED");
    setDefaultCACertificates([...known, receiver.caPem]);
    try {
      for (const client of [alone(), makeClient({ extraCa: createTestCertificates().caPem })]) {
        expect(await client.post(receiver.url, REQUEST)).toMatchObject({ status: 200 });
      }
    } finally {
      setDefaultCACertificates(known);
    }
  });
});

describe("addresses", () => {
  it("refuses what the text alone gives away, without a connection", async () => {
    const client = makeClient({ allowedHosts: [] });
    const before = receiver.connectionCount();
    expect(await errorCodeOf(client, `http://localhost:${receiver.port}`)).toBe("URL_NOT_HTTPS");
    for (const host of ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "0"]) {
      expect(await errorCodeOf(client, `https://${host}:${receiver.port}/`), host).toBe("URL_NOT_ALLOWED");
    }
    expect(receiver.connectionCount()).toBe(before);
  });

  it.each([
    ["a forbidden address", ["127.0.0.1"]],
    ["a forbidden address among good ones", ["93.184.215.14", "127.0.0.1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["the metadata address", ["169.254.169.254"]],
    ["no address in its canonical form", ["0177.0.0.1"]],
    ["nonsense", ["localhost"]],
  ])("refuses a public name that resolves to %s", async (_what, addresses) => {
    const client = makeClient({ allowedHosts: [], resolve: async () => addresses });
    const before = receiver.connectionCount();
    expect(await errorCodeOf(client, `https://receiver.example:${receiver.port}/`)).toBe("ADDRESS_NOT_ALLOWED");
    expect(receiver.connectionCount()).toBe(before);
  });

  it("lets an allowed host through by name and by name and port, with its certificate still checked", async () => {
    const byPort = makeClient({ allowedHosts: [`localhost:${receiver.port}`] });
    expect(await byPort.post(receiver.url, REQUEST)).toMatchObject({ status: 200 });
    const byOtherPort = makeClient({ allowedHosts: ["localhost:9"] });
    expect(await errorCodeOf(byOtherPort, receiver.url)).toBe("URL_NOT_ALLOWED");
    const byAddress = makeClient({ allowedHosts: ["127.0.0.1"] });
    expect(await byAddress.post(`https://127.0.0.1:${receiver.port}`, REQUEST)).toMatchObject({ status: 200 });
    expect(await errorCodeOf(makeClient({ extraCa: createTestCertificates().caPem }), receiver.url)).toBe("TLS_FAILED");
  });

  it("finds an allowed name by the system's own look-up", async () => {
    const client = createEgressClient({ timeoutMs: 5_000, allowedHosts: ["localhost"], extraCa: receiver.caPem });
    clients.push(client);
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ status: 200 });
  });
});
