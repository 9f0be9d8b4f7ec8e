import type { LookupAddress } from "node:dns";
import { Duplex } from "node:stream";
import type { ConnectionOptions } from "node:tls";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { checkedConnector } from "@/lib/net/checked-connector";
import { errorCode } from "@/lib/net/egress-failure";
import type { ResolveHost } from "@/lib/net/resolve-host";

/** Where connections would have gone; nothing leaves the machine. */
const dialled: { host: string; port: unknown; addresses: string[]; servername: string }[] = [];
let remoteAddress: string | undefined;
/** The newest connection. */
let opened: Duplex | undefined;

vi.mock("node:tls", async (original) => ({
  ...(await original<typeof import("node:tls")>()),
  connect: (options: ConnectionOptions) => {
    const socket = Object.assign(new Duplex({ read() {}, write() {} }), { setNoDelay() {}, remoteAddress });
    opened = socket;
    const record = (addresses: string[]) => {
      const { host = "", port, servername = "" } = options;
      dialled.push({ host, port, addresses, servername });
      socket.emit("connect");
      // That one takes connections and says nothing.
      if (host !== "silent.example") socket.emit("secureConnect");
    };
    queueMicrotask(() => {
      options.lookup?.(options.host ?? "", { all: true }, (_error, found) =>
        record((found as LookupAddress[]).map(({ address }) => address)),
      );
    });
    return socket;
  },
}));

const { createSecureContext } = await import("node:tls");

/** Opens one connection; resolves to "connected" or to the code of the failure. */
function open(url: string, resolve: ResolveHost, allowedHosts: string[] = [], timeoutMs = 1_000): Promise<string> {
  const connector = checkedConnector({
    allowedHosts,
    secureContext: createSecureContext(),
    timeoutMs,
    resolvePublic: resolve,
    resolveAllowed: async () => ["127.0.0.1"],
  });
  const { host, hostname, protocol, port } = new URL(url);
  return new Promise((done) => {
    connector({ host, hostname: hostname.replace(/^\[|\]$/g, ""), protocol, port }, (...[error]) =>
      done(error === null ? "connected" : (errorCode(error) ?? "")),
    );
  });
}

beforeEach(() => {
  dialled.length = 0;
  remoteAddress = "93.184.215.14";
});

describe("checkedConnector", () => {
  it("connects to exactly the addresses that it resolved and checked, with one look-up", async () => {
    const good = ["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111"];
    const resolve = vi.fn(async () => good);
    expect(await open("https://receiver.example/hook", resolve)).toBe("connected");
    expect(resolve).toHaveBeenCalledTimes(1);
    const [host, servername] = ["receiver.example", "receiver.example"];
    expect(dialled).toEqual([{ host, port: 443, addresses: good, servername }]);
  });

  it("gives a name that changes its answer nothing: the checked address is the dialled one", async () => {
    const answers = [["93.184.215.14"], ["127.0.0.1"], ["169.254.169.254"], ["1.1.1.1"]];
    const resolve = vi.fn(async () => answers.shift() ?? ["127.0.0.1"]);
    const results: string[] = [];
    for (let index = 0; index < 5; index += 1) results.push(await open("https://rebinding.example/", resolve));
    expect(results).toEqual([
      "connected",
      "ADDRESS_NOT_ALLOWED",
      "ADDRESS_NOT_ALLOWED",
      "connected",
      "ADDRESS_NOT_ALLOWED",
    ]);
    expect(dialled.map(({ addresses }) => addresses)).toEqual([["93.184.215.14"], ["1.1.1.1"]]);
    expect(resolve).toHaveBeenCalledTimes(5);
  });

  it("dials nothing when any of the addresses is forbidden", async () => {
    for (const bad of [
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "::1",
      "::ffff:10.0.0.1",
      "fd00:ec2::254",
      "64:ff9b::a00:1",
      "",
    ]) {
      expect(await open("https://receiver.example/", async () => ["93.184.215.14", bad]), bad).toBe(
        "ADDRESS_NOT_ALLOWED",
      );
      expect(await open("https://receiver.example/", async () => [bad, "93.184.215.14"]), bad).toBe(
        "ADDRESS_NOT_ALLOWED",
      );
    }
    expect(dialled).toEqual([]);
  });

  it("checks addresses that are written in the URL, without a look-up", async () => {
    const resolve = vi.fn(async () => []);
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:10.0.0.1]", "169.254.169.254"]) {
      expect(await open(`https://${host}/`, resolve), host).toBe("ADDRESS_NOT_ALLOWED");
    }
    expect(await open("https://1.1.1.1/", resolve)).toBe("connected");
    expect(await open("https://[2606:4700:4700::1111]:8443/", resolve)).toBe("connected");
    expect(resolve).not.toHaveBeenCalled();
    expect(dialled.map(({ host, port, servername }) => [host, port, servername])).toEqual([
      ["1.1.1.1", 443, ""],
      ["2606:4700:4700::1111", 8443, ""],
    ]);
  });

  it("drops a connection that came about with another address after all", async () => {
    for (const address of ["127.0.0.1", "::ffff:127.0.0.1", undefined]) {
      remoteAddress = address;
      expect(await open("https://receiver.example/", async () => ["93.184.215.14"])).toBe("ADDRESS_NOT_ALLOWED");
      expect(opened?.destroyed).toBe(true);
    }
  });

  it("says so when a name has no address or its look-up fails or hangs", async () => {
    expect(await open("https://receiver.example/", async () => [])).toBe("NAME_NOT_RESOLVED");
    expect(await open("https://receiver.example/", () => Promise.reject(new Error("x")))).toBe("NAME_NOT_RESOLVED");
    expect(await open("https://receiver.example/", () => new Promise(() => {}))).toBe("TIMEOUT");
  });

  it("gives up a connection on which no TLS comes about in time, and lets go of it", async () => {
    expect(await open("https://silent.example/", async () => ["93.184.215.14"], [], 30)).toBe("TIMEOUT");
    expect(opened?.destroyed).toBe(true);
  });

  it("keeps a connection that came about, which is used again later: it had its time to connect alone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      expect(await open("https://receiver.example/", async () => ["93.184.215.14"])).toBe("connected");
      expect(vi.getTimerCount()).toBe(0);
      vi.advanceTimersByTime(1_000);
      expect(opened?.destroyed).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it("checks nothing but the name of an allowed host, and resolves it in its own way", async () => {
    const resolve = vi.fn(async () => ["93.184.215.14"]);
    remoteAddress = "127.0.0.1";
    expect(await open("https://localhost:8443/", resolve, ["localhost:8443"])).toBe("connected");
    expect(await open("https://127.0.0.1:9/", resolve, ["127.0.0.1"])).toBe("connected");
    expect(resolve).not.toHaveBeenCalled();
  });
});
