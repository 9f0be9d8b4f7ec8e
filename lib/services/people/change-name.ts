import { prisma } from "@/lib/db/prisma";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

/** Sets how a person is called; an empty name takes it away. */
export async function changeName(actor: Actor, userId: string, name: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } });
    const after = name.trim() || null;
    await tx.user.update({ where: { id: userId }, data: { name: after } });
    await recordAudit(tx, actor, {
      accountId: null,
      action: "person.change-name",
      subject: userId,
      before,
      after: { name: after },
    });
  });
}
