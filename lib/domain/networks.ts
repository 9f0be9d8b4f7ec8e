import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** As many as a key may have. */
export const MAX_NETWORKS = 50;

/**
 * An address or a network, such as "203.0.113.7", "203.0.113.0/24" or "2001:db8::/32", as it is kept: without the bits behind
 * the network's, v4 written as v6 in its v4 form, a network of one address as that address.
 * @returns null for what is neither
 */
export function readNetwork(text: string): string | null {
  const [, address = "", bits] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? [];
  const parsed = readAddress(address);
  if (!parsed) return null;
  const { host, isMapped } = parsed;
  const all = host.kind() === "ipv4" ? 32 : 128;
  const length = bits === undefined ? all : Number(bits) - (isMapped ? 96 : 0);
  if (length < 0 || length > all) return null;
  if (length === all) return host.toString();
  const network = `${host.toString()}/${length}`;
  const base =
    host.kind() === "ipv4" ? ipaddr.IPv4.networkAddressFromCIDR(network) : ipaddr.IPv6.networkAddressFromCIDR(network);
  return `${base.toString()}/${length}`;
}

interface ReadAddress {
  host: ipaddr.IPv4 | ipaddr.IPv6;
  /** It was a v4 address in the form of a v6 one, whose bits count from there. */
  isMapped: boolean;
}

/** An address in its one form, whatever it is spelled like; null for what is none. */
export function readAddress(text: string): ReadAddress | null {
  // The library takes octal and hexadecimal parts too, which people read otherwise.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return { host: ipaddr.IPv4.parse(text), isMapped: false };
  if (isIP(text) !== 6 || text.includes("%")) return null;
  // Written without decimals, of which the library takes `::1.2.3.4` for `::ffff:1.2.3.4`.
  const host = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return host.isIPv4MappedAddress() ? { host: host.toIPv4Address(), isMapped: true } : { host, isMapped: false };
}
