import { type CallValues, firstValues, keyOf } from "@/components/playground/playground-call";
import { type AddressParams, addressWith } from "@/components/ui/address";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

/** The panel's playground, and the same for everybody who has a key. */
export const PLAYGROUND_PATH = "/panel/playground";
export const CONSOLE_PATH = "/docs/console";

const ENDPOINT_PARAM = "endpoint";
/** Longer texts stay in the form alone: servers and people both want short addresses. */
const MAX_VALUE_CHARACTERS = 1_000;

/** The address of an endpoint with its fields, on that page. The key is none of them. */
export function playgroundAddress(path: string, endpoint: PlaygroundEndpoint, values: CallValues): string {
  const kept = endpoint.fields.flatMap((field): [string, string][] => {
    const text = values[keyOf(field)] ?? "";
    return text.length <= MAX_VALUE_CHARACTERS ? [[keyOf(field), text]] : [];
  });
  return addressWith(path, { [ENDPOINT_PARAM]: endpoint.id }, Object.fromEntries(kept));
}

/** Where somebody begins who names no endpoint. */
const FIRST_ENDPOINT = "startChat";

const AGAIN_PARAM = "again";

/** The address of a message to a session, in the panel's playground. */
export function continuationAddress(session: { sessionId: string; endUserId: string | null }): string {
  const fields = Object.entries(session).map(([name, text]) => [keyOf({ place: "body", name }), text]);
  return addressWith(PLAYGROUND_PATH, { [ENDPOINT_PARAM]: FIRST_ENDPOINT }, Object.fromEntries(fields));
}

/** Where the panel's playground says once more what got no answer in a session. */
export function repetitionAddress(sessionId: string): string {
  return addressWith(PLAYGROUND_PATH, {}, { [AGAIN_PARAM]: sessionId });
}

/** The session whose last call an address repeats; null of any other. */
export function sessionToRepeat(params: AddressParams): string | null {
  const sessionId = params[AGAIN_PARAM];
  return typeof sessionId === "string" ? sessionId : null;
}

/** What the form shows of a message that is sent once more; what it has not, is null. */
export function repeatedCall(
  endpoints: PlaygroundEndpoint[],
  call: Record<"sessionId" | "message", string> & Record<"endUserId" | "outputSchema", string | null>,
): { endpoint: PlaygroundEndpoint; values: CallValues } {
  const { endpoint } = readPlaygroundAddress(endpoints, {});
  const given = Object.entries(call).filter((entry): entry is [string, string] => entry[1] !== null);
  return { endpoint, values: Object.fromEntries(given.map(([name, text]) => [keyOf({ place: "body", name }), text])) };
}

/**
 * What the form shows at first: the endpoint of an address with its fields, or else with those of its example. Of a session that has
 * nothing to repeat, for it was answered since: that session, which goes on.
 */
export function readPlaygroundAddress(
  endpoints: PlaygroundEndpoint[],
  params: AddressParams,
): { endpoint: PlaygroundEndpoint; values: CallValues } {
  const of = (operationId: unknown) => endpoints.find(({ id }) => id === operationId);
  const named = of(params[ENDPOINT_PARAM]);
  const endpoint = named ?? of(FIRST_ENDPOINT);
  if (!endpoint) throw new Error(`There is no endpoint ${FIRST_ENDPOINT}.`);
  const given = (named?.fields ?? []).flatMap((field): [string, string][] => {
    const text = params[keyOf(field)];
    return typeof text === "string" ? [[keyOf(field), text]] : [];
  });
  const repeated = named ? null : sessionToRepeat(params);
  if (repeated !== null) given.push([keyOf({ place: "body", name: "sessionId" }), repeated]);
  return { endpoint, values: given.length > 0 ? Object.fromEntries(given) : firstValues(endpoint) };
}
