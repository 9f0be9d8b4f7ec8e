import { db } from "@/lib/db/pool";

/** An upload that nobody renewed for so long has lost its process. Longer than a database is usually away. */
export const LEASE_MINUTES = 15;
const RENEW_MS = 60_000;

/** Of the uploads that this process writes or is about to use. */
const leased = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/** For `leased_until`. */
export const NEW_LEASE = `now() + interval '${LEASE_MINUTES} minutes'`;

/**
 * Says each minute that this process still has an upload, until it was used, discarded, or given over to whoever comes next:
 * of the last three its row tells. Its row has its first lease already.
 */
export function keepLease(storageKey: string): void {
  leased.add(storageKey);
  // What cannot be said now is said in a minute.
  timer ??= setInterval(() => void renewLeases().catch(() => {}), RENEW_MS).unref();
}

/** Lets the lease of an upload end by itself: whatever keeps its row from being removed now, the sweep finds it by that. */
export function endLease(storageKey: string): void {
  leased.delete(storageKey);
}

/** Renews what is still leased, and forgets the rest. */
export async function renewLeases(): Promise<void> {
  const asked = [...leased];
  const { rows } = await db().query<{ storageKey: string }>({
    name: "renew-upload-leases",
    text: `UPDATE pending_uploads SET leased_until = ${NEW_LEASE}
           WHERE storage_key = ANY ($1) AND leased_until IS NOT NULL
           RETURNING storage_key AS "storageKey"`,
    values: [asked],
  });
  const alive = new Set(rows.map(({ storageKey }) => storageKey));
  for (const storageKey of asked) if (!alive.has(storageKey)) leased.delete(storageKey);
  if (leased.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
