import { describe, expect, it } from "vitest";
import { AppError, type ErrorCode } from "@/lib/domain/errors";
import { checkReceiverUrl } from "@/lib/domain/receiver-url";

function codeOf(text: string, allowedHosts: string[] = []): ErrorCode | "fine" {
  try {
    checkReceiverUrl(text, { allowedHosts });
    return "fine";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const LOOPBACK_HOSTS = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "127.0.0.1..",
  "2130706433",
  "0x7f000001",
  "0X7F.1",
  "0x7f.0x0.0x0.0x1",
  "017700000001",
  "0177.0.0.1",
  "0177.0.0.01",
  "00000177.0.0.1",
  "127.0.0.01",
  "127.127.127.127",
  "0",
  "0.0.0.0",
  "0x0",
  "00",
  "①②⑦.⓪.⓪.①",
  "１２７.0.0.1",
  "127。0。0。1",
  "127%2e0%2e0%2e1",
  "%31%32%37.0.0.1",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::]",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[2001:db8::1]",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "foo.localhost",
  "ｌocalhost",
  "localhost.localdomain",
  "printer.local",
  "metadata.google.internal",
  "router.lan",
  "nas.home.arpa",
  "wiki.corp",
  "intranet",
  "db",
  "kubernetes",
  "10.0.0.1",
  "0xa.0.0.1",
  "012.0.0.1",
  "167772161",
  "172.16.0.1",
  "192.168.1.1",
  "0xc0a80101",
  "3232235777",
  "100.64.0.1",
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "224.0.0.1",
  "255.255.255.255",
  "192.0.2.1",
  "198.18.0.1",
];

describe("checkReceiverUrl", () => {
  it.each([
    "https://example.com",
    "https://example.com/",
    "https://example.com/webhooks?tenant=1&x=%20y#part",
    "https://EXAMPLE.com/Path",
    "https://hooks.example.co.uk:8443/in",
    "https://example.com:443/",
    "https://example.com:1024/",
    "https://8.8.8.8/hook",
    "https://[2606:4700:4700::1111]/hook",
    "https://bücher.example/hook",
    "https://local.example.com/",
    "https://localhost.example.com",
    "https://internal-tools.example.com/",
    `https://example.com/${"x".repeat(2_028)}`,
  ])("accepts %s", (text) => {
    expect(checkReceiverUrl(text, { allowedHosts: [] }).href).toBe(new URL(text).href);
  });

  it.each([
    "http://example.com",
    "http://localhost",
    "ftp://example.com",
    "httpsx://example.com",
    "",
    "example.com",
    "/hook",
    "//example.com",
    "ws://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "gopher://127.0.0.1:70/",
    "HTTP://EXAMPLE.COM",
    "not a url",
    "http://exa mple.com",
    " http://example.com",
    "\\\\server\\hook",
    "\u0000",
  ])("refuses %j: not HTTPS", (text) => {
    expect(codeOf(text, ["localhost", "example.com"])).toBe("URL_NOT_HTTPS");
  });

  it.each(LOOPBACK_HOSTS)("refuses the host %s", (host) => {
    expect(codeOf(`https://${host}/hook`)).toBe("URL_NOT_ALLOWED");
    expect(codeOf(`https://${host}:8443/hook`)).toBe("URL_NOT_ALLOWED");
  });

  it.each([
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://:secret@example.com/",
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1@127.0.0.1/",
    "https://user@localhost/",
  ])("refuses %s: credentials, on allowed hosts too", (text) => {
    expect(codeOf(text, ["localhost", "127.0.0.1"])).toBe("URL_NOT_ALLOWED");
  });

  it.each([
    0, 1, 21, 22, 25, 53, 80, 110, 389, 442, 444, 445, 465, 636, 1_023, 2_375, 3_306, 5_432, 6_379, 9_200, 11_211,
    27_017,
  ])("refuses port %d", (port) => {
    expect(codeOf(`https://example.com:${port}/`)).toBe("URL_NOT_ALLOWED");
  });

  it.each([
    "https://",
    "https:///",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com\n",
    "https://exam\tple.com",
    "https:\\\\example.com",
    "https://example.com\\@localhost",
    "https://example.com:99999",
    "https://[::1",
    "https://%00",
    "https://exa%20mple.com",
    `https://example.com/${"x".repeat(2_029)}`,
  ])("refuses %j: not an address as it has to be", (text) => {
    expect(codeOf(text, ["localhost"])).toBe("URL_NOT_ALLOWED");
  });

  it("lets allowed hosts pass by name or by name and port, without regard to address and port", () => {
    for (const [url, allowed] of [
      ["https://localhost:5432/x", "localhost"],
      ["https://LOCALHOST:80/", "localhost"],
      ["https://localhost:8443/x", "localhost:8443"],
      ["https://localhost/x", "localhost:443"],
      ["https://127.0.0.1:9000", "127.0.0.1"],
      ["https://[::1]:9000", "::1"],
      ["https://[::1]:9000", "[::1]:9000"],
      ["https://receiver:9000", "receiver"],
    ] as const) {
      expect(codeOf(url, [allowed]), url).toBe("fine");
    }
    for (const [url, allowed] of [
      ["https://localhost:8444/", "localhost:8443"],
      ["https://foo.localhost/", "localhost"],
      ["https://127.0.0.2/", "127.0.0.1"],
      ["https://notlocalhost/", "localhost"],
      ["https://localhost/", "*"],
      ["https://localhost/", ""],
    ] as const) {
      expect(codeOf(url, [allowed]), url).toBe("URL_NOT_ALLOWED");
    }
  });

  it("names the field and says what to do", () => {
    const failing = (text: string) => () => checkReceiverUrl(text, { allowedHosts: [], param: "callbackUrl" });
    expect(failing("http://example.com")).toThrow("callbackUrl must begin with https://.");
    expect(failing("https://10.0.0.1")).toThrow(/^callbackUrl must name a host on the public internet, not a private/);
    expect(failing("https://example.com:22")).toThrow("callbackUrl must use port 443, or one from 1024 on");
    expect(failing("nonsense")).toThrow("callbackUrl must begin with https://.");
    expect(failing("https://")).toThrow(
      "callbackUrl must be an absolute HTTPS address such as https://example.com/webhooks.",
    );
    expect(failing("https://10.0.0.1")).toThrow(expect.objectContaining({ param: "callbackUrl" }));
  });
});
