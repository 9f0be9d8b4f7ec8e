/**
 * What a field takes in of a text to look for: of the longest reference, all characters. Browsers count two for one such as an emoji,
 * the service one: what is longer without any finds nothing, and says so.
 */
export const MAX_LOOKED_FOR_UNITS = 400;
