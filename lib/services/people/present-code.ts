import type { Prisma, User } from "@/lib/db/generated/client";
import { AppError, invalidField } from "@/lib/domain/errors";
import { takeSecondFactor } from "@/lib/services/people/second-factor";
import { countAttempt, forgetAttempts } from "@/lib/services/people/throttle-attempts";

/**
 * What changes a second factor takes a code of it, or a recovery code: an open session and the password are not enough.
 * @throws AppError NOT_FOUND without a second factor, VALIDATION_FAILED naming `code`, RATE_LIMITED
 */
export async function takePresentCode(
  { id: userId, totpSecretEncrypted }: Pick<User, "id" | "totpSecretEncrypted">,
  code: string,
  nowMs: number,
): Promise<void> {
  if (totpSecretEncrypted === null) throw nothingToChange();
  await countAttempt({ kind: "proof", value: userId });
  if (!(await takeSecondFactor({ userId, totpSecretEncrypted }, code, nowMs))) throw wrongCode();
  await forgetAttempts({ kind: "proof", value: userId });
}

/** Holds the second factor whose code was taken: that code must not change one which took its place meanwhile. */
export async function lockSecondFactor(
  tx: Prisma.TransactionClient,
  { id, totpSecretEncrypted }: Pick<User, "id" | "totpSecretEncrypted">,
): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${id} AND totp_secret_encrypted = ${totpSecretEncrypted} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw wrongCode();
}

/** A code that is not the present one of the second factor that a person has. */
export function wrongCode(): AppError {
  return invalidField("code", "is wrong or was used already: enter the one that your app shows next");
}

function nothingToChange(): AppError {
  return new AppError("NOT_FOUND", "There is no second factor to change.");
}
