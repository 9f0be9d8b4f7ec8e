import type { JsonSchema } from "@/lib/contracts/json-schema";

/** What no value fits. */
const NOTHING = { not: {} };

/**
 * Says of an object in the document that of each list at least one field has to be there: none of the lists may be
 * absent as a whole. It is said by `not` on purpose: of an `anyOf` beside `properties`, generators of clients make
 * "anything at all" and forget the properties; `not` they leave alone.
 */
export function needsOneOf(...lists: string[][]): { not: JsonSchema } {
  const absent = lists.map((names) => ({ properties: Object.fromEntries(names.map((name) => [name, NOTHING])) }));
  const [only, ...others] = absent;
  return { not: only && others.length === 0 ? only : { anyOf: absent } };
}

/** The lists that an object's schema was given so. */
export function neededLists({ not }: { not?: unknown }): string[][] {
  const { properties, anyOf = properties ? [{ properties }] : [] } = (not ?? {}) as Refused;
  return anyOf.map((absent) => Object.keys(absent.properties));
}

interface Refused {
  properties?: object;
  anyOf?: { properties: object }[];
}
