import { setGlobalDispatcher } from "undici";
import { outboundAgent, type ProxySettings } from "@/lib/outbound-agent";

/**
 * Has every `fetch` of this process connect as `outboundAgent` does, also those of libraries that take no connections from
 * whoever calls them, such as that of the files' store.
 */
export function connectFetch(proxies: ProxySettings): void {
  setGlobalDispatcher(outboundAgent(proxies));
}
