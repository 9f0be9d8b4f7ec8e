import { isIP } from "node:net";
import { isForbiddenAddress } from "@/lib/domain/address-policy";
import { AppError } from "@/lib/domain/errors";

/** The rules for the address of a receiver, as far as its text alone tells (contract §8). */

export const MAX_RECEIVER_URL_CHARACTERS = 2_048;

const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1_024;

/** Databases and infrastructure above port 1023: no webhook receiver listens there. */
const REFUSED_PORTS = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 6379, 6443, 7001, 8500,
  9042, 9092, 9200, 9300, 10250, 11211, 15672, 25672, 27017, 27018, 27019, 50070,
]);

/** Names that never mean a host on the public internet (RFC 6761, 6762, 8375 and common private zones). */
const PRIVATE_ZONES = ["localhost", "localdomain", "local", "internal", "intranet", "lan", "corp", "home", "home.arpa"];

export interface ReceiverUrlOptions {
  /** Names, or `name:port`, in lower case, that skip the checks of address and port (OUTBOUND_ALLOWED_HOSTS). */
  allowedHosts: readonly string[];
  /** The field that errors speak of; default `url`. */
  param?: string;
}

/**
 * Parses the address of a receiver. What its name resolves to is checked when connecting, by the egress client.
 * @throws AppError URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export function checkReceiverUrl(text: string, { allowedHosts, param = "url" }: ReceiverUrlOptions): URL {
  const refuse = (what: string): never => {
    throw new AppError("URL_NOT_ALLOWED", `${param} ${what}.`, { param });
  };
  if (text.length > MAX_RECEIVER_URL_CHARACTERS) {
    refuse(`must have at most ${MAX_RECEIVER_URL_CHARACTERS} characters`);
  }
  // Before what is wrong with its characters: of "not a url" that is the smaller part.
  if (!/^\s*https:/i.test(text)) throw new AppError("URL_NOT_HTTPS", `${param} must begin with https://.`, { param });
  // The parser would drop or bend these silently; what is stored must be what is meant.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) refuse("must not contain spaces, backslashes or control characters");
  const url = URL.canParse(text)
    ? new URL(text)
    : refuse("must be an absolute HTTPS address such as https://example.com/webhooks");
  if (url.username !== "" || url.password !== "") refuse("must not contain a user name or password");
  if (isAllowedHost(url, allowedHosts)) return url;
  if (!isPublicHost(bareHost(url))) {
    refuse("must name a host on the public internet, not a private, loopback, link-local or reserved address");
  }
  if (!isUsualPort(portOf(url))) refuse("must use port 443, or one from 1024 on that no database or similar uses");
  return url;
}

/** Whether the operator let this host through by name or by `name:port`; HTTPS stays required. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const port = portOf(url);
  const names = [url.hostname, bareHost(url)];
  return names.some((name) => allowedHosts.includes(name) || allowedHosts.includes(`${name}:${port}`));
}

/** The host without the brackets of an IPv6 address and without the dots that end a full name. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

function portOf(url: URL): number {
  return url.port === "" ? HTTPS_PORT : Number(url.port);
}

function isPublicHost(host: string): boolean {
  // Every numeric spelling of an IPv4 address is four decimal numbers by now: the URL parser saw to it.
  if (isIP(host) !== 0) return !isForbiddenAddress(host);
  if (!host.includes(".")) return false;
  return !PRIVATE_ZONES.some((zone) => host.endsWith(`.${zone}`));
}

function isUsualPort(port: number): boolean {
  return port === HTTPS_PORT || (port >= FIRST_UNPRIVILEGED_PORT && !REFUSED_PORTS.has(port));
}
