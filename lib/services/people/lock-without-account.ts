import type { Prisma } from "@/lib/db/generated/client";
import { AppError, notFound } from "@/lib/domain/errors";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { assertSignedIn } from "@/lib/services/members/member-rules";

/**
 * Holds a person who belongs to no account until the caller's transaction ends, so that they neither open two at once nor
 * join a team that erases them.
 * @returns their address
 * @throws AppError NOT_FOUND for staff, whoever is shut out, and an ended session; VALIDATION_FAILED while they belong to an
 *   account
 */
export async function lockWithoutAccount(
  tx: Prisma.TransactionClient,
  { sessionId }: Actor,
  userId: string,
): Promise<{ email: string }> {
  const [person] = await tx.$queryRaw<{ email: string }[]>`
    SELECT email FROM users WHERE id = ${userId} AND disabled_at IS NULL AND NOT is_staff FOR UPDATE`;
  if (!person) throw notFound("The person");
  if (sessionId !== undefined) await assertSignedIn(tx, sessionId);
  if ((await tx.member.count({ where: { userId } })) > 0) {
    throw new AppError("VALIDATION_FAILED", "You belong to an account again. Load the page again to see it.");
  }
  return person;
}
