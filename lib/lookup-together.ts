import dns, { type LookupAddress, type LookupAllOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { processSingleton } from "@/lib/process-singleton";

type Found = Promise<LookupAddress[]>;

/**
 * The system's look-up, once at a time for each name, however many connections wait for it: it occupies a worker thread until it
 * ends, of which a process has two for look-ups. Where a provider's name servers were silent, each of its calls took one for ten
 * seconds, and no connection to a database with a name came about behind them.
 */
export const lookupTogether: LookupFunction = (hostname, { all, ...options }, callback) => {
  addressesOf(hostname, options).then(
    (addresses) => {
      const [first = { address: "", family: 0 }] = addresses;
      // What the callback throws is not of the look-up.
      queueMicrotask(() => (all ? callback(null, addresses) : callback(null, first.address, first.family)));
    },
    (error: NodeJS.ErrnoException) => queueMicrotask(() => callback(error, [])),
  );
};

/** As `lookupTogether`, for who connects by itself. */
export function addressesOf(hostname: string, options: Omit<LookupAllOptions, "all"> = {}): Found {
  const underWay = processSingleton("look-ups", () => new Map<string, Found>());
  const key = JSON.stringify([hostname, options.family, options.hints]);
  const joined = underWay.get(key);
  if (joined) return joined;
  const found = lookUp(hostname, options).finally(() => underWay.delete(key));
  underWay.set(key, found);
  return found;
}

function lookUp(hostname: string, options: Omit<LookupAllOptions, "all">): Found {
  return new Promise((resolve, reject) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
