import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Secrets at rest: AES-256-GCM, written as `v1.<base64url of nonce, tag, cipher text>`. */

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";

/** Encrypts a text with a key of 32 bytes, given in base64. */
export function sealText(plain: string, keyBase64: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(keyBase64, "base64"), nonce);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/**
 * Decrypts what `sealText` made.
 * @throws Error when the key is another or the text was changed.
 */
export function openText(sealed: string, keyBase64: string): string {
  if (!sealed.startsWith(VERSION)) throw new Error("The sealed text is of an unknown version.");
  const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(keyBase64, "base64"), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}
