import { prisma } from "@/lib/db/prisma";
import { createUser, newPassword, normalizeEmail } from "@/lib/services/accounts/create-user";
import { hashPassword } from "@/lib/services/accounts/hash-password";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

/** A new member of staff; the password exists nowhere else. */
export interface CreatedStaff {
  userId: string;
  email: string;
  password: string;
}

/**
 * Creates a person who may sign in under /staff; they belong to no account.
 * @throws AppError VALIDATION_FAILED when the e-mail address is malformed or taken
 */
export async function createStaff(actor: Actor, input: { email: string }): Promise<CreatedStaff> {
  const email = normalizeEmail(input.email);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const userId = await prisma().$transaction(async (tx) => {
    const id = await createUser(tx, { email, passwordHash, isStaff: true });
    await recordAudit(tx, actor, { accountId: null, action: "staff.create", subject: id, after: { email } });
    return id;
  });
  return { userId, email, password };
}
