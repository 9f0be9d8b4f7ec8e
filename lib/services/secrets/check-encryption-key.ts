import { db } from "@/lib/db/pool";
import { openSecret } from "@/lib/services/people/sealed-secret";

/**
 * Whether ENCRYPTION_KEY, or the one before it, opens what the database holds: the callback secrets of its oldest and its newest
 * project, which each has from its beginning. One that holds none yet goes with any key.
 */
export async function checkEncryptionKey(): Promise<boolean> {
  const sealed = "SELECT callback_secret_encrypted AS sealed FROM projects WHERE callback_secret_encrypted IS NOT NULL";
  const { rows } = await db().query<{ sealed: string }>(
    `(${sealed} ORDER BY id LIMIT 1) UNION ALL (${sealed} ORDER BY id DESC LIMIT 1)`,
  );
  return rows.every((row) => isOpened(row.sealed));
}

/** As many as show whether the key is the one with which the service seals now. */
const NEWEST = 20;

/**
 * Whether ENCRYPTION_KEY, or the one before it, opens any of the callback secrets made last: where the key was lost, older ones stay
 * shut for good. A database that holds none goes with any key.
 */
export async function opensNewestSecrets(): Promise<boolean> {
  const { rows } = await db().query<{ sealed: string }>(
    `SELECT callback_secret_encrypted AS sealed FROM projects
     ORDER BY greatest(created_at, previous_callback_secret_until) DESC LIMIT ${NEWEST}`,
  );
  return rows.length === 0 || rows.some((row) => isOpened(row.sealed));
}

function isOpened(sealed: string): boolean {
  try {
    openSecret(sealed);
    return true;
  } catch {
    return false;
  }
}
