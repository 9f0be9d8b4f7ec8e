import { createHmac, randomBytes } from "node:crypto";

/** How deliveries are signed (§6.3, contract §8). */

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** How long a rotated secret signs beside the new one (contract §8). */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** A new secret of a receiver, as its owner sees it: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The value of `X-Service-Signature`: HMAC-SHA256 in lower-case hex; the key is the secret's text as shown. */
export function signWebhook(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

export interface SignatureInput {
  /** `X-Service-Delivery`, and the id that Standard Webhooks signs. */
  deliveryUuid: string;
  /** The exact bytes that are sent. */
  body: Uint8Array;
  /** The newest first; during a rotation the one before it follows. */
  secrets: readonly [string, ...string[]];
  /** The time of this attempt, so that a receiver can refuse replays. */
  sentAt: Date;
}

/** All headers that prove where a delivery comes from: the specification's own and those of Standard Webhooks. */
export function signatureHeaders({ deliveryUuid, body, secrets, sentAt }: SignatureInput): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  return {
    "X-Service-Signature": signWebhook(body, secrets[0]),
    "webhook-id": deliveryUuid,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => standardSignature(secret, deliveryUuid, timestamp, body)).join(" "),
  };
}

/** One entry of `webhook-signature`; the key is the secret's base64 part, as that specification says. */
function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return `v1,${signature}`;
}
