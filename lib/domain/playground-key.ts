/**
 * The key that the playground makes for who reads it. It is that person's alone, unlike the account's other keys, which run
 * its systems: it ends with what let them make it.
 */
export const PLAYGROUND_KEY = { name: "Playground", seconds: 3_600 } as const;

/** In place of a key's id, where calls are chosen by their key: those of all keys of the playground. */
export const ANY_PLAYGROUND_KEY = "playground";

/** No other key lives so short: what people may choose begins at a day. Clocks of two machines differ by less. */
export const LONGEST_PLAYGROUND_KEY_SECONDS = 2 * PLAYGROUND_KEY.seconds;

/** Whether a key that is made now is one of the playground's, by its name and its end. */
export function isPlaygroundKey({ name, expiresAt }: { name: string; expiresAt: Date | null }, now: Date): boolean {
  if (name !== PLAYGROUND_KEY.name || expiresAt === null) return false;
  return expiresAt.getTime() - now.getTime() < LONGEST_PLAYGROUND_KEY_SECONDS * 1_000;
}
