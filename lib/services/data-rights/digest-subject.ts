import { createHmac } from "node:crypto";
import { env } from "@/lib/env";

/**
 * Stands for an end user of a project where the name itself must not be: in the queue, and in the receipt of an erasure.
 * Keyed, so that nobody finds the name by trying names. Letters, digits, `-` and `_`.
 */
export function digestSubject(projectId: string, endUserId: string): string {
  return digestWith(env().ENCRYPTION_KEY ?? "", projectId, endUserId);
}

/** The digests to look a name up by: while a key is being changed, that of the key before too. */
export function digestsOfSubject(projectId: string, endUserId: string): string[] {
  const { ENCRYPTION_KEY_PREVIOUS: previous } = env();
  const newest = digestSubject(projectId, endUserId);
  return previous === undefined ? [newest] : [newest, digestWith(previous, projectId, endUserId)];
}

function digestWith(key: string, projectId: string, endUserId: string): string {
  return createHmac("sha256", key).update(`end-user:${projectId}:${endUserId}`).digest("base64url");
}
