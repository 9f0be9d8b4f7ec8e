import type { AccountExport } from "@/lib/contracts/account-exports";
import { enqueueEvents } from "@/lib/db/outbox";
import { db } from "@/lib/db/pool";
import { prisma, withinPrisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { recordTakenExport } from "@/lib/services/data-rights/record-taken-export";
import { type OpenFile, openAccountExportFile } from "@/lib/services/files/open-file";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

const MAX_LISTED = 20;

/**
 * Asks for a file with all that an account has; it is made in the background. While one is being made no other is, and whoever
 * asks is told of its end as well.
 * @returns the id of its receipt
 * @throws AppError NOT_FOUND
 */
export async function requestAccountExport(actor: Actor, accountId: string): Promise<string> {
  const id = await prisma().$transaction(async (tx) => {
    // The lock makes two requests at once one.
    await lockAccount(tx, accountId);
    await assertStillMay(tx, actor, accountId, "account.export");
    const open = await tx.accountExport.findFirst({
      where: { accountId, state: { in: ["queued", "running"] } },
      select: { id: true, requestedById: true, alsoAskedByIds: true },
    });
    if (open) {
      const { id, requestedById, alsoAskedByIds } = open;
      const isNew = actor.userId && ![requestedById, ...alsoAskedByIds].includes(actor.userId);
      if (isNew) await tx.accountExport.update({ where: { id }, data: { alsoAskedByIds: { push: actor.userId } } });
      return id;
    }
    const exportId = newId("dataRequest");
    await tx.accountExport.create({ data: { id: exportId, accountId, requestedById: actor.userId ?? null } });
    await recordAudit(tx, actor, { accountId, action: "account.export", subject: exportId });
    await tellOwners(tx, actor, accountId, { action: "account.export" });
    await enqueueEvents(withinPrisma(tx), [{ name: "account/export", data: { exportId } }]);
    return exportId;
  });
  wakeRelay();
  return id;
}

interface AccountExportRow extends Omit<AccountExport, "createdAt" | "completedAt"> {
  createdAt: Date;
  completedAt: Date | null;
}

/** The account's newest receipts of exports. */
export async function listAccountExports(accountId: string): Promise<AccountExport[]> {
  const { rows } = await db().query<AccountExportRow>(
    `SELECT e.id, e.state, e.counts, e.created_at AS "createdAt", e.completed_at AS "completedAt",
       CASE WHEN f.expires_at > now() AND f.deleted_at IS NULL
         THEN json_build_object('sizeBytes', f.size, 'expiresAt', f.expires_at) END AS download
     FROM account_exports e LEFT JOIN stored_files f ON f.id = e.file_id AND f.account_id = e.account_id
     WHERE e.account_id = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT ${MAX_LISTED}`,
    [accountId],
  );
  return rows.map(({ createdAt, completedAt, download, ...row }) => ({
    ...row,
    download: download && { ...download, expiresAt: new Date(download.expiresAt).toISOString() },
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }));
}

/**
 * Opens an account's export for one of its owners; a line of the audit log says who took it.
 * @throws AppError NOT_FOUND also for another account's, and when its time is over
 */
export async function openAccountExport(actor: Actor, accountId: string, exportId: string): Promise<OpenFile> {
  const found = await prisma().accountExport.findFirst({
    where: { id: exportId, accountId },
    select: { fileId: true },
  });
  if (!found?.fileId) throw notFound("The export");
  const file = await openAccountExportFile(accountId, found.fileId);
  await recordTakenExport(actor, { accountId, action: "account.take-export", subject: exportId });
  return file;
}
