import { AppError } from "@/lib/domain/errors";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { log } from "@/lib/log";
import { OtherKeyError, openSecret, openSecretIfPossible, sealSecret } from "@/lib/services/people/sealed-secret";

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

/**
 * Opens a sealed secret for its owner.
 * @throws AppError INTERNAL_ERROR with what its owner can do, where no key opens it any more
 */
export function openWebhookSecret(sealed: string): string {
  try {
    return openSecret(sealed);
  } catch (error) {
    if (!(error instanceof OtherKeyError)) throw error;
    log("error", "A signing secret cannot be opened to show it.", {}, error);
    throw new AppError(
      "INTERNAL_ERROR",
      "This secret can no longer be read, and nothing is sent that it would sign. Rotate it and give your receiver the new one, or ask the operator for the key that was in use before.",
      { cause: error },
    );
  }
}

/**
 * Opens the secret before the one that signs now. Null where no key opens it: it was rotated because the key was lost, and must
 * not hold up what the new one can do.
 */
export function openSecretBefore(sealed: string): string | null {
  return openSecretIfPossible(sealed);
}
