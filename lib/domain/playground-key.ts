/**
 * The key that the playground makes for who reads it. It is that person's alone, unlike the account's other keys, which run
 * its systems: it ends with what let them make it.
 */
export const PLAYGROUND_KEY = { name: "Playground", seconds: 3_600 } as const;
