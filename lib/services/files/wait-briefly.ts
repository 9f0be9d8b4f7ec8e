import { setTimeout as delay } from "node:timers/promises";

/** Longer than a store in order takes to remove some files. */
const PATIENCE_MS = 2_000;

/**
 * Waits for bytes to be removed, but not beyond that, for whoever has something to tell meanwhile: what takes longer goes on, and
 * what fails is the sweep's. Neither is anything that a caller could mend. Never rejects.
 */
export async function waitBriefly(removal: Promise<unknown>, patienceMs = PATIENCE_MS): Promise<void> {
  const ended = removal.catch(() => {});
  await Promise.race([ended, delay(patienceMs, undefined, { ref: false })]);
}
