import { openText, sealText } from "@/lib/domain/sealed-text";
import { env } from "@/lib/env";

/** Seals a secret with the key of the settings. @throws Error when ENCRYPTION_KEY is missing */
export function sealSecret(plain: string): string {
  return sealText(plain, encryptionKey());
}

/** What no key of the settings opens. Its words are for the log: they say what the operator can do. */
export class OtherKeyError extends Error {
  constructor(cause: unknown) {
    super(
      "ENCRYPTION_KEY is not the one that sealed this, nor is ENCRYPTION_KEY_PREVIOUS: put the old one back, or the old secrets.json in DATA_DIR.",
      { cause },
    );
    this.name = "OtherKeyError";
  }
}

/**
 * Opens what `sealSecret` made; while a key is being changed (ENCRYPTION_KEY_PREVIOUS), also what the other key sealed.
 * @throws OtherKeyError when another key sealed it; Error when ENCRYPTION_KEY is missing
 */
export function openSecret(sealed: string): string {
  const key = encryptionKey();
  const { ENCRYPTION_KEY_PREVIOUS: previous } = env();
  try {
    return openText(sealed, key);
  } catch (error) {
    if (previous === undefined) throw new OtherKeyError(error);
  }
  try {
    return openText(sealed, previous);
  } catch (error) {
    throw new OtherKeyError(error);
  }
}

/** The same, or null where no key opens it any more: for what can be made anew, or does not have to be there. */
export function openSecretIfPossible(sealed: string): string | null {
  try {
    return openSecret(sealed);
  } catch (error) {
    if (error instanceof OtherKeyError) return null;
    throw error;
  }
}

function encryptionKey(): string {
  const key = env().ENCRYPTION_KEY;
  if (!key) throw new Error("ENCRYPTION_KEY is not set.");
  return key;
}
