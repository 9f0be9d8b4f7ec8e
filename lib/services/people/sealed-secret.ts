import { openText, sealText } from "@/lib/domain/sealed-text";
import { env } from "@/lib/env";

/** Seals a secret with the key of the settings. @throws Error when ENCRYPTION_KEY is missing */
export function sealSecret(plain: string): string {
  return sealText(plain, encryptionKey());
}

/**
 * Opens what `sealSecret` made; while a key is being changed (ENCRYPTION_KEY_PREVIOUS), also what the other key sealed.
 * @throws Error when ENCRYPTION_KEY is missing or another key sealed it
 */
export function openSecret(sealed: string): string {
  const { ENCRYPTION_KEY_PREVIOUS: previous } = env();
  try {
    return openText(sealed, encryptionKey());
  } catch (error) {
    if (previous === undefined) throw error;
    return openText(sealed, previous);
  }
}

function encryptionKey(): string {
  const key = env().ENCRYPTION_KEY;
  if (!key) throw new Error("ENCRYPTION_KEY is not set.");
  return key;
}
