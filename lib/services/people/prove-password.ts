import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError, invalidField, notFound } from "@/lib/domain/errors";
import { countAttempt, forgetAttempts, giveAttemptBack } from "@/lib/services/people/throttle-attempts";
import { verifyPassword } from "@/lib/services/people/verify-password";

/**
 * Proves that somebody who is signed in, or came by a link that was mailed to them, knows a person's password. Wrong tries count
 * together with those at the second factor of who is signed in, and the right one forgets none of who has a second factor.
 * @returns the person's address, and the hash of the password for `lockPassword`
 * @throws AppError VALIDATION_FAILED naming `param`, RATE_LIMITED
 */
export async function assertPassword(
  userId: string,
  password: string,
  param: string,
): Promise<{ email: string; passwordHash: string }> {
  const user = await prisma().user.findUnique({ where: { id: userId } });
  if (!user) throw notFound("The person");
  if (user.passwordHash === null) {
    throw invalidField(param, "is not set: sign in anew through the service that you use, and try again");
  }
  const person = { kind: "proof", value: user.id } as const;
  const counted = await countAttempt(person);
  if (!(await verifyPassword(user.passwordHash, password))) throw invalidField(param, "is wrong");
  // With a second factor the password is half of what it takes: it must not buy further guesses at the code.
  if (user.totpSecretEncrypted === null) await forgetAttempts(person);
  else await giveAttemptBack(counted);
  return { email: user.email, passwordHash: user.passwordHash };
}

/** Whether that is a person's password; as `assertPassword`. @throws AppError RATE_LIMITED */
export async function isPasswordOf(userId: string, password: string): Promise<boolean> {
  return assertPassword(userId, password, "password").then(
    () => true,
    (error: unknown) => {
      if (isWrongPassword(error)) return false;
      throw error;
    },
  );
}

/**
 * Holds a person's password as it was proved until the caller's transaction ends: what is done with one that is changed at
 * that moment would come after the change, which ends all that was done with it.
 * @throws AppError VALIDATION_FAILED naming `param` when it is another by now
 */
export async function lockPassword(
  tx: Prisma.TransactionClient,
  userId: string,
  passwordHash: string,
  param: string,
): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId} AND password_hash = ${passwordHash} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw invalidField(param, "is wrong");
}

/** Whether it was a wrong password that was refused, not one try too many. */
export function isWrongPassword(error: unknown): boolean {
  return error instanceof AppError && error.code === "VALIDATION_FAILED";
}
