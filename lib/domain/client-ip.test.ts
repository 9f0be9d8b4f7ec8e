import { describe, expect, it } from "vitest";
import { clientIp, REMOTE_ADDRESS_HEADER } from "@/lib/domain/client-ip";

describe("clientIp", () => {
  it.each<[string, string | undefined, string | undefined, number, string | null]>([
    ["the socket's address without proxies", "203.0.113.7", undefined, 0, "203.0.113.7"],
    ["no forwarded address without trusted proxies", "203.0.113.7", "198.51.100.1", 0, "203.0.113.7"],
    ["what the one trusted proxy saw", "10.0.0.1", "198.51.100.1", 1, "198.51.100.1"],
    ["no entry that the client wrote before the proxy's", "10.0.0.1", "6.6.6.6, 198.51.100.1", 1, "198.51.100.1"],
    ["the second from the right behind two proxies", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", 2, "198.51.100.1"],
    ["the socket's when the list is shorter than the proxies", "203.0.113.7", "6.6.6.6", 2, "203.0.113.7"],
    ["the socket's when the entry is no address", "203.0.113.7", "unknown", 1, "203.0.113.7"],
    ["a v6 address without brackets and port", "10.0.0.1", "[2001:DB8::1]:443", 1, "2001:db8::1"],
    ["a v4 address without port", "10.0.0.1", "198.51.100.1:5555", 1, "198.51.100.1"],
    ["a mapped v4 address as v4", "::ffff:203.0.113.7", undefined, 0, "203.0.113.7"],
    ["a mapped v4 address as v4, however it is spelled", "::ffff:cb00:7107", undefined, 0, "203.0.113.7"],
    ["a mapped v4 address of a proxy as v4", "10.0.0.1", "0:0:0:0:0:ffff:203.0.113.7", 1, "203.0.113.7"],
    ["a v6 address in its shortest spelling", "2001:0DB8:0:0:0:0:0:1", undefined, 0, "2001:db8::1"],
    ["no zone", "fe80::1%eth0", undefined, 0, "fe80::1"],
    ["nothing when nothing is known", undefined, undefined, 0, null],
    ["no header injection", "1.2.3.4\tx", undefined, 0, null],
  ])("gives %s", (_what, remote, forwarded, hops, expected) => {
    const headers = new Headers();
    if (remote !== undefined) headers.set(REMOTE_ADDRESS_HEADER, remote);
    if (forwarded !== undefined) headers.set("x-forwarded-for", forwarded);
    expect(clientIp(headers, hops)).toBe(expected);
  });
});
