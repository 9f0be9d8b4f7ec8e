import { MAX_REFERENCE_CHARACTERS } from "@/lib/domain/limits";

/**
 * What a field takes in of a text to look for. Browsers count two for a character such as an emoji, the service one: what is
 * longer without any finds nothing, and says so.
 */
export const MAX_LOOKED_FOR_UNITS = 2 * MAX_REFERENCE_CHARACTERS;
