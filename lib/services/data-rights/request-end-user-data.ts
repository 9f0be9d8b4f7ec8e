import type { DataRequest, DataRequestKind } from "@/lib/contracts/end-users";
import type { Prisma } from "@/lib/db/generated/client";
import { enqueueEvents } from "@/lib/db/outbox";
import { prisma, withinPrisma } from "@/lib/db/prisma";
import { invalidField, notFound } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { dataRequestEvent } from "@/lib/services/data-rights/data-request-event";
import { digestSubject } from "@/lib/services/data-rights/digest-subject";
import { getDataRequest } from "@/lib/services/data-rights/list-data-requests";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

type Scope = Pick<Principal, "accountId" | "projectId">;

/**
 * Asks for a file with all that is kept of an end user; it is made in the background. While one is being made, that one
 * is given.
 * @throws AppError NOT_FOUND also for another project's end user
 */
export function requestExport(actor: Actor, scope: Scope, endUserId: string): Promise<DataRequest> {
  return request(actor, scope, "export", endUserId);
}

/**
 * Asks for all that is kept of an end user to be erased, in the background and for good. While that is under way, its
 * receipt is given, unless they came anew since it began: what is theirs from then on it leaves.
 * @param input.confirmation the end user's id once more, as the person typed it
 * @throws AppError NOT_FOUND also for another project's end user; VALIDATION_FAILED when the two ids differ
 */
export async function requestErasure(
  actor: Actor,
  scope: Scope,
  input: { endUserId: string; confirmation: string },
): Promise<DataRequest> {
  if (input.confirmation !== input.endUserId) throw invalidField("confirmation", "must be the id of the end user");
  return request(actor, scope, "erase", input.endUserId);
}

async function request(
  actor: Actor,
  { accountId, projectId }: Scope,
  kind: DataRequestKind,
  endUserId: string,
): Promise<DataRequest> {
  const id = await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, accountId, kind === "erase" ? "end-users.erase" : "end-users.export");
    // The lock makes two requests at once one.
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM end_users e JOIN projects p ON p.id = e.project_id
      WHERE p.id = ${projectId} AND p.account_id = ${accountId} AND e.end_user_id = ${endUserId} FOR UPDATE OF e`;
    if (found.length === 0) throw notFound("The end user");
    const open = await tx.dataRequest.findFirst({
      where: { projectId, kind, subject: endUserId, state: { in: ["queued", "running"] } },
      orderBy: { createdAt: "desc" },
      select: { id: true, startedAt: true },
    });
    if (
      open &&
      !(kind === "erase" && open.startedAt && (await hasComeAnew(tx, projectId, endUserId, open.startedAt)))
    ) {
      return open.id;
    }
    const dataRequestId = newId("dataRequest");
    await tx.dataRequest.create({
      data: {
        id: dataRequestId,
        accountId,
        projectId,
        kind,
        subject: endUserId,
        subjectDigest: digestSubject(projectId, endUserId),
        requestedById: actor.userId ?? null,
      },
    });
    // Without the end user's name: the audit log outlives them.
    await recordAudit(tx, actor, { accountId, action: `end-user.${kind}`, subject: dataRequestId });
    await enqueueEvents(withinPrisma(tx), [dataRequestEvent(kind, dataRequestId)]);
    return dataRequestId;
  });
  wakeRelay();
  return getDataRequest({ projectId }, id);
}

async function hasComeAnew(
  tx: Prisma.TransactionClient,
  projectId: string,
  endUserId: string,
  since: Date,
): Promise<boolean> {
  const where = { projectId, endUserId, createdAt: { gt: since } };
  return (await tx.session.findFirst({ where, select: { id: true } })) !== null;
}
