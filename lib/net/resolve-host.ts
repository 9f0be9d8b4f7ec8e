import { Resolver } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import { addressesOf } from "@/lib/lookup-together";

/** Gives all addresses of a name; throws when there are none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

const DNS_TRY_MS = 2_000;
const DNS_TRIES = 2;
/** Name servers that say nothing of one kind of address, as some do of AAAA, would cost a delivery half of its time. */
const OTHER_KIND_MS = 1_000;

/**
 * Asks the name servers directly. The system's look-up would occupy one of the process's few worker threads until
 * it ends, so that some slow name servers could hold up every receiver; and it would read the hosts file.
 */
export function createPublicResolver(): ResolveHost {
  let resolver = systemResolver();
  return async (hostname) => {
    // It reads the machine's name servers once and keeps what it learns of them, while these may change: another network, a
    // container moved. Reading them again takes a fiftieth of a millisecond.
    const now = systemResolver();
    if (String(now.getServers()) !== String(resolver.getServers())) resolver = now;
    const kinds = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    const isLate = Promise.any(kinds).then(
      () => delay(OTHER_KIND_MS, [], { ref: false }),
      () => [],
    );
    const found = await Promise.all(kinds.map((kind) => Promise.race([kind.catch(() => []), isLate])));
    const addresses = found.flat();
    if (addresses.length === 0) throw new Error(`No addresses were found for ${hostname}.`);
    return addresses;
  };
}

function systemResolver(): Resolver {
  return new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
}

/** The system's look-up, hosts file included: for the few names that the operator allows for local work. */
export const resolveLocally: ResolveHost = async (hostname) =>
  (await addressesOf(hostname)).map(({ address }) => address);
