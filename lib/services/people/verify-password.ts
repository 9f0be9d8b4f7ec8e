import { verify } from "@node-rs/argon2";
import { hashPassword } from "@/lib/services/accounts/hash-password";

/** Compares a password with a hash; a parameter of those who use it, so that a test can count how often. */
export type PasswordCheck = (hash: string, password: string) => Promise<boolean>;

let nobodysHash: Promise<string> | undefined;

/**
 * Whether a password is the one of a hash. Without a hash (nobody has that address, or they have no password) the same
 * work is done on a hash of nobody's, so that the time tells nothing.
 */
export async function verifyPassword(
  hash: string | null,
  password: string,
  check: PasswordCheck = verify,
): Promise<boolean> {
  nobodysHash ??= hashPassword("nobody signs in with this");
  const isRight = await check(hash ?? (await nobodysHash), password);
  return hash !== null && isRight;
}
