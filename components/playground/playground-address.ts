import { type CallValues, keyOf } from "@/components/playground/playground-call";
import { type AddressParams, addressWith } from "@/components/ui/address";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

export const PLAYGROUND_PATH = "/panel/playground";

const ENDPOINT_PARAM = "endpoint";
/** Longer texts stay in the form alone: servers and people both want short addresses. */
const MAX_VALUE_CHARACTERS = 1_000;

/** The address of an endpoint with its fields. The key is none of them. */
export function playgroundAddress(endpoint: PlaygroundEndpoint, values: CallValues): string {
  const kept = endpoint.fields.flatMap((field): [string, string][] => {
    const text = values[keyOf(field)] ?? "";
    return text.length <= MAX_VALUE_CHARACTERS ? [[keyOf(field), text]] : [];
  });
  return addressWith(PLAYGROUND_PATH, { [ENDPOINT_PARAM]: endpoint.id }, Object.fromEntries(kept));
}

/** The endpoint of an address, and its fields; values null when the address has none. */
export function readPlaygroundAddress(
  endpoints: PlaygroundEndpoint[],
  params: AddressParams,
): { endpoint: PlaygroundEndpoint | undefined; values: CallValues | null } {
  const endpoint = endpoints.find(({ id }) => id === params[ENDPOINT_PARAM]);
  const given = (endpoint?.fields ?? []).flatMap((field): [string, string][] => {
    const text = params[keyOf(field)];
    return typeof text === "string" ? [[keyOf(field), text]] : [];
  });
  return { endpoint, values: given.length > 0 ? Object.fromEntries(given) : null };
}
