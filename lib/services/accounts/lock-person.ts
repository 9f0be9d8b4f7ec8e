import type { Prisma, User } from "@/lib/db/generated/client";
import { invalidField } from "@/lib/domain/errors";

/**
 * Holds a person who was found by their address until the caller's transaction ends: what is given to whoever reads that
 * address must not come after a change that took it away from it.
 * @returns false when they have another address by now, or are shut out
 */
export async function lockPerson(
  tx: Prisma.TransactionClient,
  { id, email }: Pick<User, "id" | "email">,
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${id} AND email = ${email} AND disabled_at IS NULL FOR NO KEY UPDATE`;
  return rows.length === 1;
}

/**
 * The same for links that the operator makes: one for a person who is shut out would lead nowhere.
 * @throws AppError VALIDATION_FAILED
 */
export async function assertNotShutOut(
  tx: Prisma.TransactionClient,
  person: Pick<User, "id" | "email">,
): Promise<void> {
  if (await lockPerson(tx, person)) return;
  throw invalidField("email", "is of a person who was shut out and signs in no more, by no link either");
}
