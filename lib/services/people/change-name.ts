import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import { prisma } from "@/lib/db/prisma";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { findSelf } from "@/lib/services/people/find-self";

/** How a person is called, as a form has it: empty for none. */
interface PersonName {
  name: string;
}

/**
 * Sets how a person is called, unless that is no longer what the form began with; an empty name takes it away.
 * @throws AppError NOT_FOUND when they are gone
 */
export async function changeName(
  actor: Actor,
  userId: string,
  { name, began }: SaveInput<PersonName>,
): Promise<SaveResult<PersonName>> {
  return prisma().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
    const before = { name: (await findSelf(userId, tx)).name };
    const after = name.trim() || null;
    const now = before.name ?? "";
    if (before.name === after) return { outcome: "saved", saved: { name: now } };
    if (now !== began.name) return { outcome: "conflict", current: { name: now } };
    await tx.user.update({ where: { id: userId }, data: { name: after } });
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.change-name",
      subject: userId,
      before,
      after: { name: after },
    });
    return { outcome: "saved", saved: { name: after ?? "" } };
  });
}
