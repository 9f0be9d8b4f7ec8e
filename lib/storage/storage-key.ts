import { randomBytes } from "node:crypto";

/** 160 bits: whoever has a key may read the file, so it must not be guessed. */
const KEY_BYTES = 20;

/** A new key of the file store: random, lower-case hexadecimal (so it survives file systems that ignore case). */
export function newStorageKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

/** Whether a text has the form of a key. Nothing else ever becomes part of a path. */
export function isStorageKey(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}
