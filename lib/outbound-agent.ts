import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { Env } from "@/lib/env";
import { lookupTogether } from "@/lib/lookup-together";

/** The proxy through which a network lets its servers out, as the environment names it for all programs. */
export type ProxySettings = Partial<Pick<Env, "HTTP_PROXY" | "HTTPS_PROXY" | "NO_PROXY">>;

/** Parts of the service on this machine, whatever the environment says. */
const AT_HOME = ["localhost", "127.0.0.1", "::1"];

/**
 * Connections to servers that settings name: the model's, the files' store, those of sign-ins. Receivers of webhooks, whose
 * addresses customers name, have connections of their own (lib/net).
 */
export function outboundAgent(
  { HTTP_PROXY = "", HTTPS_PROXY = "", NO_PROXY = "" }: ProxySettings,
  { connectTimeoutMs, ...options }: Agent.Options & { connectTimeoutMs?: number } = {},
): Dispatcher {
  const connect = { lookup: lookupTogether, ...(connectTimeoutMs !== undefined && { timeout: connectTimeoutMs }) };
  if (HTTP_PROXY === "" && HTTPS_PROXY === "") return new Agent({ ...options, connect });
  return new EnvHttpProxyAgent({
    ...options,
    connect,
    proxyTls: { lookup: lookupTogether },
    ...(connectTimeoutMs !== undefined && { connectTimeout: connectTimeoutMs }),
    // Empty and not absent: undici would read the environment itself.
    httpProxy: HTTP_PROXY,
    httpsProxy: HTTPS_PROXY,
    noProxy: [NO_PROXY, ...AT_HOME].join(","),
  });
}
