import { openText, sealText } from "@/lib/domain/sealed-text";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { env } from "@/lib/env";

/** A secret as its owner sees it and as the database keeps it. */
export interface MadeSecret {
  secret: string;
  sealed: string;
}

/** Makes the secret of a registration. @throws Error when ENCRYPTION_KEY is missing */
export function makeWebhookSecret(): MadeSecret {
  const secret = newWebhookSecret();
  return { secret, sealed: sealText(secret, encryptionKey()) };
}

/** Opens a sealed secret. @throws Error when ENCRYPTION_KEY is missing or another one sealed it */
export function openWebhookSecret(sealed: string): string {
  return openText(sealed, encryptionKey());
}

function encryptionKey(): string {
  const { ENCRYPTION_KEY } = env();
  if (ENCRYPTION_KEY === undefined) throw new Error("ENCRYPTION_KEY is not set.");
  return ENCRYPTION_KEY;
}
