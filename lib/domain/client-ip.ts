import { readAddress } from "@/lib/domain/networks";

/** Set by our own server to the socket's address, after removing one that a client sent. */
export const REMOTE_ADDRESS_HEADER = "x-service-remote-address";

/**
 * The address a call comes from. `X-Forwarded-For` is believed only as far as trusted proxies wrote it: with n
 * trusted hops the nth entry from the right is the client. A shorter list was not written by those proxies, so
 * then the socket's address counts.
 * @param trustedHops proxies in front of the service (`TRUSTED_PROXY_HOPS`)
 */
export function clientIp(headers: Pick<Headers, "get">, trustedHops: number): string | null {
  const remote = cleanAddress(headers.get(REMOTE_ADDRESS_HEADER) ?? "");
  if (trustedHops === 0) return remote;
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",");
  return cleanAddress(forwarded.at(-trustedHops) ?? "") ?? remote;
}

/** Without port, brackets and zone, in its shortest spelling; a v4 address written as v6 in its v4 form; null when it is no address. */
function cleanAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, "").toLowerCase();
  return readAddress(address)?.host.toString() ?? null;
}
