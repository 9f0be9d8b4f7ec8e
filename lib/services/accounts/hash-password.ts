import { hash } from "@node-rs/argon2";

/** OWASP's choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2ID_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password in PHC form (salt and costs are part of it). */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID_OPTIONS);
}
