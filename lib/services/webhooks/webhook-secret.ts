import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { openSecret, sealSecret } from "@/lib/services/people/sealed-secret";

/** A secret as its owner sees it and as the database keeps it. */
export interface MadeSecret {
  secret: string;
  sealed: string;
}

/** Makes the secret of a registration. @throws Error when ENCRYPTION_KEY is missing */
export function makeWebhookSecret(): MadeSecret {
  const secret = newWebhookSecret();
  return { secret, sealed: sealSecret(secret) };
}

/** Opens a sealed secret. @throws Error when ENCRYPTION_KEY is missing or another one sealed it */
export function openWebhookSecret(sealed: string): string {
  return openSecret(sealed);
}

/**
 * Opens the secret before the one that signs now. Null where no key opens it: it was rotated because the key was lost, and must
 * not hold up what the new one can do.
 */
export function openSecretBefore(sealed: string): string | null {
  try {
    return openSecret(sealed);
  } catch {
    return null;
  }
}
