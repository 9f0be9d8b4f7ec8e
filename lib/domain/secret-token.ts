import { createHash, randomBytes } from "node:crypto";

/** Tokens that are sent out once and of which only a hash is kept: sessions of people, one-time links, invitations. */

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;

/** A new token: 256 random bits in base64url, 43 characters. */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether a text has the form of a token; saves a look-up for what cannot exist. */
export function isSecretToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/** What is stored and looked up instead of the token: its SHA-256 in hex. */
export function hashSecretToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}
