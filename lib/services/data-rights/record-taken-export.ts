import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { type Actor, type AuditLine, recordAudit } from "@/lib/services/accounts/record-audit";

const WINDOW_MS = 3_600_000;

/**
 * Writes who takes an export into the audit log, once an hour for each person and address: a download in parts, or one that
 * goes on where it broke off, is one and not a page of lines.
 */
export async function recordTakenExport(
  actor: Actor,
  line: Pick<AuditLine, "action"> & { accountId: string; subject: string },
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    // Parts that are asked for at once come one after the other.
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext(${line.action}), hashtext(${line.subject}))::text`;
    const now = (await databaseNow(tx)).getTime();
    const said = await tx.auditEntry.count({
      where: {
        ...line,
        actorKind: actor.kind,
        actorId: actor.userId ?? null,
        ip: actor.ip ?? null,
        createdAt: { gt: new Date(now - WINDOW_MS) },
      },
    });
    if (said === 0) await recordAudit(tx, actor, line);
  });
}
