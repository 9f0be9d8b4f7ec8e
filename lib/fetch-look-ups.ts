import { Agent, setGlobalDispatcher } from "undici";
import { lookupTogether } from "@/lib/lookup-together";

/**
 * Has every `fetch` of this process look a name up as `lookupTogether` does, also those of libraries that take no look-up from
 * whoever calls them, such as that of the files' store.
 */
export function shareLookUpsOfFetch(): void {
  setGlobalDispatcher(new Agent({ connect: { lookup: lookupTogether } }));
}
