import { prisma } from "@/lib/db/prisma";
import { invalidField, notFound } from "@/lib/domain/errors";
import { normalizeEmail } from "@/lib/services/accounts/create-user";
import { disablePeople } from "@/lib/services/accounts/disable-people";
import { findPerson } from "@/lib/services/accounts/find-person";
import type { Actor } from "@/lib/services/accounts/record-audit";

/** A member of staff who was shut out. */
export interface DisabledStaff {
  userId: string;
  email: string;
  disabledAt: Date;
}

/**
 * Shuts a member of staff out for good, such as one who left: signed out everywhere, no sign-in any more. What they did stays
 * in the audit log under their name, and their address stays taken. A second time changes nothing.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED when the reason is empty
 */
export async function disableStaff(actor: Actor, input: { email: string; reason: string }): Promise<DisabledStaff> {
  const email = normalizeEmail(input.email);
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  return prisma().$transaction(async (tx) => {
    const user = await findPerson(tx, email);
    if (!user?.isStaff) throw notFound(`A member of staff with the address ${email}`);
    const now = new Date();
    await disablePeople(tx, actor, { emails: [user.email], reason, now });
    return { userId: user.id, email, disabledAt: user.disabledAt ?? now };
  });
}
