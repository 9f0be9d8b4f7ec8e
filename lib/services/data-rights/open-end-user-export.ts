import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { recordTakenExport } from "@/lib/services/data-rights/record-taken-export";
import { type OpenFile, openEndUserExportFile } from "@/lib/services/files/open-file";

/**
 * Opens the export of an end user for people of its project; a line of the audit log says who took it.
 * @param id of its receipt
 * @throws AppError NOT_FOUND also for another project's, and when its time is over
 */
export async function openEndUserExport(actor: Actor, scope: ProjectScope, id: string): Promise<OpenFile> {
  const { accountId, projectId } = scope;
  const found = await prisma().dataRequest.findFirst({
    where: { id, accountId, projectId, kind: "export" },
    select: { fileId: true },
  });
  if (!found?.fileId) throw notFound("The export");
  const file = await openEndUserExportFile(projectId, found.fileId);
  await recordTakenExport(actor, { accountId, action: "end-user.take-export", subject: id });
  return file;
}
