import ipaddr from "ipaddr.js";

/**
 * Which IP addresses a receiver may have (contract §8). Fails closed: only what is plainly a public unicast
 * address in its canonical spelling passes.
 */

/** IANA hands out public IPv6 addresses from here alone. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Public by their numbers, but answered by the cloud's own host (Azure's agent and resolver). */
const FORBIDDEN_PUBLIC_V4 = new Set(["168.63.129.16"]);

/** Public-looking blocks that no receiver can have: the retired 6bone. */
const RETIRED_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("3ffe::"), 16];

/** Upper half of an ISATAP interface identifier; an IPv4 address follows it. */
const ISATAP_MARKS = [0x0000_5efe, 0x0200_5efe];

/**
 * Whether a connection to this address is refused. `ip` is a bare address without brackets, port or zone;
 * other spellings of IPv4 than four decimal numbers are refused, since systems read them differently.
 */
export function isForbiddenAddress(ip: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return isForbiddenV4(ipaddr.IPv4.parse(ip));
  if (ip.includes(":") && !ip.includes("%") && ipaddr.IPv6.isValid(ip)) return isForbiddenV6(ipaddr.IPv6.parse(ip));
  return true;
}

function isForbiddenV4(address: ipaddr.IPv4): boolean {
  return address.range() !== "unicast" || FORBIDDEN_PUBLIC_V4.has(address.toString());
}

/**
 * IPv6 addresses that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) are refused whatever
 * they carry: a receiver that has a public IPv4 address is reached by that.
 */
function isForbiddenV6(address: ipaddr.IPv6): boolean {
  if (!address.match(GLOBAL_UNICAST_V6) || address.match(RETIRED_V6) || address.range() !== "unicast") return true;
  const [, , , , fifth = 0, sixth = 0] = address.parts;
  return ISATAP_MARKS.includes(fifth * 0x1_0000 + sixth);
}
