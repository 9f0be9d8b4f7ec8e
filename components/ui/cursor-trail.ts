import { type AddressParams, addressWith } from "@/components/ui/address";

/** Parts the cursors of the way; no cursor has it in it. */
const SEPARATOR = "~";
/** Enough to come back by, and still an address that every server takes. */
const MAX_STEPS = 30;

/**
 * The cursor of the part of a list that an address opens. `cursor` holds the cursors of the whole way there, so that
 * "Previous" is one step back.
 */
export function cursorOf({ cursor }: AddressParams): string | undefined {
  return trailOf(cursor).at(-1);
}

/** The addresses of the parts before and after, for `PageLinks`. */
export function cursorHrefs(
  path: string,
  params: AddressParams,
  nextCursor: string | null,
): { previousHref?: string; nextHref?: string } {
  const trail = trailOf(params.cursor);
  const at = (steps: string[]) => addressWith(path, params, { cursor: steps.slice(-MAX_STEPS).join(SEPARATOR) });
  return {
    ...(trail.length > 0 && { previousHref: at(trail.slice(0, -1)) }),
    ...(nextCursor !== null && { nextHref: at([...trail, nextCursor]) }),
  };
}

function trailOf(cursor: AddressParams[string]): string[] {
  return typeof cursor === "string" ? cursor.split(SEPARATOR).filter(Boolean) : [];
}
