import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Signatures of the SDK protocol (SDK_SPEC §4.1.3): HMAC-SHA256 over canonical JSON and a time in seconds. */

const SIGNATURE_MAX_AGE_SECONDS = 300;
const KEY_PREFIX = /^signkey-\w+-/;

/**
 * JSON with sorted keys (RFC 8785), as the SDK makes it before it checks a signature. Canonical texts put
 * together in sorted order are canonical again, so stored payloads are never parsed to build a request.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const record = value as Record<string, unknown>;
  // The SDK's canonicalizer leaves objects with this key in the order they came in.
  if (record.toJSON != null) return JSON.stringify(record);
  const members = Object.keys(record)
    .sort()
    .filter((key) => record[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${members.join(",")}}`;
}

/** The value of `X-Inngest-Signature` for a body of canonical JSON. */
export function signBody(body: string, signingKey: string, now = Date.now()): string {
  const seconds = Math.floor(now / 1000).toString();
  return `t=${seconds}&s=${hmac(body, seconds, signingKey)}`;
}

/** Whether a reply's signature is right and not older than five minutes. */
export function isSignatureValid(header: string, body: string, signingKey: string, now = Date.now()): boolean {
  const parts = new URLSearchParams(header);
  const seconds = parts.get("t") ?? "";
  if (!(Math.abs(now / 1000 - Number(seconds)) <= SIGNATURE_MAX_AGE_SECONDS)) return false;
  return isSameText(parts.get("s") ?? "", hmac(body, seconds, signingKey));
}

/** The bearer token with which an SDK registers: the key's prefix and the hash of its bytes. */
export function hashSigningKey(signingKey: string): string {
  const prefix = KEY_PREFIX.exec(signingKey)?.[0] ?? "";
  const bytes = Buffer.from(signingKey.slice(prefix.length), "hex");
  return prefix + createHash("sha256").update(bytes).digest("hex");
}

/**
 * Refuses keys that SDKs would hash differently from us.
 * @throws Error when the key after its `signkey-*-` prefix is not an even number of hex digits.
 */
export function checkSigningKey(signingKey: string): void {
  if (!/^([0-9a-f]{2}){8,}$/i.test(signingKey.replace(KEY_PREFIX, ""))) {
    throw new Error(
      "The Inngest signing key must be hex digits (16 or more, an even number), after an optional signkey-<env>- prefix.",
    );
  }
}

/** Compares secrets in constant time. */
export function isSameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function hmac(body: string, seconds: string, signingKey: string): string {
  return createHmac("sha256", signingKey.replace(KEY_PREFIX, "")).update(body).update(seconds).digest("hex");
}
