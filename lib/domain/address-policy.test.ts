import { describe, expect, it } from "vitest";
import { isForbiddenAddress } from "@/lib/domain/address-policy";

/** First, last and an inner address of each refused IPv4 block (IANA special-purpose registry). */
const FORBIDDEN_V4: [string, string[]][] = [
  ["this network", ["0.0.0.0", "0.0.0.1", "0.255.255.255"]],
  ["private 10/8", ["10.0.0.0", "10.0.0.1", "10.123.45.67", "10.255.255.255"]],
  ["shared (CGNAT)", ["100.64.0.0", "100.64.0.1", "100.100.100.200", "100.127.255.255"]],
  ["loopback", ["127.0.0.0", "127.0.0.1", "127.0.1.1", "127.127.127.127", "127.255.255.255"]],
  ["link-local and metadata", ["169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255"]],
  ["private 172.16/12", ["172.16.0.0", "172.17.0.1", "172.31.255.255"]],
  ["protocol assignments", ["192.0.0.0", "192.0.0.8", "192.0.0.170", "192.0.0.192", "192.0.0.255"]],
  ["documentation", ["192.0.2.0", "192.0.2.1", "198.51.100.7", "203.0.113.255"]],
  ["AS112 and AMT", ["192.31.196.1", "192.52.193.1", "192.175.48.1"]],
  ["6to4 relay", ["192.88.99.0", "192.88.99.1", "192.88.99.255"]],
  ["private 192.168/16", ["192.168.0.0", "192.168.1.1", "192.168.255.255"]],
  ["benchmarking", ["198.18.0.0", "198.18.0.1", "198.19.255.255"]],
  ["multicast", ["224.0.0.0", "224.0.0.1", "239.255.255.250", "239.255.255.255"]],
  ["reserved", ["240.0.0.0", "240.0.0.1", "250.1.2.3", "255.255.255.254"]],
  ["broadcast", ["255.255.255.255"]],
  ["a cloud host's agent", ["168.63.129.16"]],
];

const PUBLIC_V4 = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "192.88.98.255",
  "192.88.100.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.255",
  "198.51.101.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
];

const FORBIDDEN_V6: [string, string[]][] = [
  ["unspecified", ["::", "0:0:0:0:0:0:0:0", "0000:0000:0000:0000:0000:0000:0000:0000"]],
  ["loopback", ["::1", "0:0:0:0:0:0:0:1", "::0001", "0::1"]],
  ["link-local", ["fe80::", "fe80::1", "FE80::1", "febf:ffff::1", "fe80::1%eth0", "fe80::1%1"]],
  ["site-local", ["fec0::1", "feff::1"]],
  ["unique-local and metadata", ["fc00::", "fc00::1", "fd00::1", "fd00:ec2::254", "fdff:ffff::1", "fd20:ce::254"]],
  ["multicast", ["ff00::", "ff01::1", "ff02::1", "ff02::fb", "ff0e::1", "ffff::1"]],
  ["documentation", ["2001:db8::", "2001:db8::1", "2001:0DB8:ffff::1", "3fff::1", "3fff:fff::1"]],
  ["benchmarking", ["2001:2::1", "2001:2:0:ffff::1"]],
  [
    "protocol assignments",
    ["2001:1::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:1ff::1"],
  ],
  ["discard-only", ["100::", "100::1"]],
  ["AS112", ["2620:4f:8000::1"]],
  ["segment routing", ["5f00::1"]],
  ["retired", ["3ffe::1"]],
  [
    "not assigned to anyone",
    ["1::1", "4000::1", "6000::1", "8000::1", "a000::1", "c000::1", "e000::1", "f000::1", "fb00::1"],
  ],
  ["public, but with a zone", ["2606:4700:4700::1111%eth0", "2606:4700:4700::1111%"]],
];

const PUBLIC_V6 = [
  "2606:4700:4700::1111",
  "2001:4860:4860::8888",
  "2001:4860:4860:0:0:0:0:8844",
  "2A00:1450:4001:80B::200E",
  "2400:cb00::1",
  "2001:200::1",
  "2003::1",
  "2620:fe::fe",
  "2800:3f0::1",
  "2c0f:fb50::1",
  "2606:4700:0:0:5efe:1:2:3",
];

/** Two hexadecimal groups for the four bytes of an IPv4 address. */
function groupsOf(ipv4: string): [string, string] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

/** IPv6 addresses that carry an IPv4 address, in every way that a stack or a translator might act on. */
function embeddings(ipv4: string): string[] {
  const [high, low] = groupsOf(ipv4);
  return [
    `::ffff:${ipv4}`,
    `::FFFF:${ipv4}`,
    `0:0:0:0:0:ffff:${ipv4}`,
    `::ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:ffff:${high}:${low}`,
    `::${ipv4}`,
    `::${high}:${low}`,
    `0:0:0:0:0:0:${ipv4}`,
    `::ffff:0:${ipv4}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${ipv4}`,
    `64:ff9b::${high}:${low}`,
    `0064:ff9b:0:0:0:0:${high}:${low}`,
    `64:ff9b:1::${ipv4}`,
    `64:ff9b:1:ffff::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2002:${high}:${low}::`,
    `2002:${high}:${low}:0:0:0:0:1`,
    `2001:0:${high}:${low}::1`,
    `2001::${high}:${low}`,
    `2001:0000:4136:e378:8000:63bf:${high}:${low}`,
    `2606:4700::5efe:${high}:${low}`,
    `2606:4700::200:5efe:${high}:${low}`,
    `fe80::5efe:${ipv4}`,
  ];
}

/** Spellings of IPv4 addresses that some systems read as an address and others do not. */
function oddSpellings(ipv4: string): string[] {
  const bytes = ipv4.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const octal = (value: number) => `0${value.toString(8)}`;
  const hex = (value: number) => `0x${value.toString(16)}`;
  return [
    String(number),
    hex(number),
    octal(number),
    hex(number).toUpperCase(),
    bytes.map(octal).join("."),
    bytes.map(hex).join("."),
    bytes.map((value) => value.toString().padStart(4, "0")).join("."),
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${ipv4}.`,
    ` ${ipv4}`,
    `${ipv4} `,
    `${ipv4}\n`,
    `[${ipv4}]`,
    `${ipv4}:443`,
    `${ipv4}/32`,
    `+${ipv4}`,
    `${ipv4}%0`,
    ipv4.replaceAll(".", "。"),
    ipv4.replace(/\d/, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ].filter((spelling) => spelling !== ipv4);
}

const allForbiddenV4 = FORBIDDEN_V4.flatMap(([, addresses]) => addresses);

describe("isForbiddenAddress", () => {
  it.each([...FORBIDDEN_V4, ...FORBIDDEN_V6])("refuses %s", (_block, addresses) => {
    for (const address of addresses) expect(isForbiddenAddress(address), address).toBe(true);
  });

  it("lets every kind of public unicast address pass, up to the edges of the refused blocks", () => {
    for (const address of [...PUBLIC_V4, ...PUBLIC_V6]) expect(isForbiddenAddress(address), address).toBe(false);
  });

  it("refuses IPv6 addresses that carry an IPv4 address, whatever it is", () => {
    const cases = [...allForbiddenV4, ...PUBLIC_V4].flatMap(embeddings);
    expect(cases.length).toBeGreaterThan(1_500);
    for (const address of cases) expect(isForbiddenAddress(address), address).toBe(true);
  });

  it("refuses every spelling of IPv4 but four decimal numbers, of public addresses too", () => {
    const cases = [...allForbiddenV4, ...PUBLIC_V4].flatMap(oddSpellings);
    expect(cases.length).toBeGreaterThan(1_200);
    for (const address of cases) expect(isForbiddenAddress(address), JSON.stringify(address)).toBe(true);
  });

  it.each([
    "",
    " ",
    ".",
    ":",
    "localhost",
    "example.com",
    "1.2.3",
    "256.1.1.1",
    "1.2.3.4.5",
    "-1.1.1.1",
    "1..1.1",
    ":::",
    "::1::",
    "12345::1",
    "2606:4700::1:2:3:4:5:6:7:8",
    "[2606:4700:4700::1111]",
    "2606:4700:4700::1111/64",
    "null",
    "NaN",
    "__proto__",
  ])("refuses %j, which is no address", (text) => {
    expect(isForbiddenAddress(text)).toBe(true);
  });
});
