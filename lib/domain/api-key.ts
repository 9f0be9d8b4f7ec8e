import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * API keys (§2.4): `bld_` and 32 characters, of which 26 are random (155 bits) and 6 are their CRC-32.
 * The checksum refuses typing errors and guesses without a look-up; only the SHA-256 of a key is kept.
 */

const PREFIX = "bld_";
const RANDOM_CHARACTERS = 26;
const CHECKSUM_CHARACTERS = 6;
const HINT_CHARACTERS = 4;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_PATTERN = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`);

/** A new key; shown to its owner once and never stored. */
export function newApiKey(): string {
  const random = randomBase62(RANDOM_CHARACTERS);
  return PREFIX + random + checksumOf(random);
}

/** Whether a text has the form of a key and its checksum is right; anything else needs no look-up. */
export function isApiKey(text: string): boolean {
  const [, random, checksum] = KEY_PATTERN.exec(text) ?? [];
  return random !== undefined && checksum === checksumOf(random);
}

/** What is stored and looked up instead of the key: its SHA-256, 32 bytes. */
export function hashApiKey(key: string): Buffer {
  return createHash("sha256").update(key, "utf8").digest();
}

/** The last characters, by which an owner knows a key in a list. */
export function apiKeyHint(key: string): string {
  return key.slice(-HINT_CHARACTERS);
}

/** As keys are shown where they are hidden: `…aB3x`, `bld_...aB3x`, `****aB3x`; or a whole one, which is cut to its end. */
const SHOWN_HINT = new RegExp(`(?:…|\\.{3}|\\*{2,}|${PREFIX}[0-9A-Za-z]+)([0-9A-Za-z]{${HINT_CHARACTERS}})$`);

/** The last characters of the key that a text shows; null when it shows none. */
export function keyHintIn(text: string): string | null {
  return SHOWN_HINT.exec(text.trim())?.[1] ?? null;
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let position = 0; position < CHECKSUM_CHARACTERS; position++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** Random letters and digits, for keys and passwords. Unbiased: bytes from the last, incomplete round of the alphabet are thrown away. */
export function randomBase62(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
