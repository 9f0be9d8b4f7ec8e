import type { DeliveryRecord, DeliveryStatus } from "@/lib/contracts/deliveries";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { type CursorPage, type CursorRequest, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import type { ProjectScope } from "@/lib/domain/principal";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";
import { ATTEMPT_SUMMARY, toAttemptSummary, toDeliveryRecord } from "@/lib/services/deliveries/delivery-record";

/** Filters combine with AND. */
export interface DeliveryFilters {
  /** Null: those that went to the `callbackUrl` of a call. */
  webhookId?: string | null;
  sessionId?: string | undefined;
  status?: DeliveryStatus | undefined;
  event?: WebhookEventKind | undefined;
  endUserId?: string | undefined;
  /** When it was made: from this moment on, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The project's deliveries, newest first, each with its attempts (without what came back in full). */
export async function listDeliveries(
  { accountId, projectId }: ProjectScope,
  { limit, cursor }: CursorRequest,
  { webhookId, sessionId, status, event, endUserId, from, to }: DeliveryFilters = {},
): Promise<CursorPage<DeliveryRecord>> {
  const rows = await prisma().webhookDelivery.findMany({
    where: {
      accountId,
      projectId,
      ...(webhookId !== undefined && { registrationId: webhookId }),
      ...(sessionId !== undefined && { sessionId }),
      ...(status !== undefined && { status }),
      ...(event !== undefined && { event }),
      ...(endUserId !== undefined && { endUserId }),
      // Beside the cursor's own bound on the time.
      AND: [{ createdAt: { ...(from && { gte: from }), ...(to && { lt: to }) } }],
      ...(cursor !== undefined && behind(cursor)),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    // Bodies can be long, and lists do not show them.
    omit: { body: true },
    include: { attempts: { select: ATTEMPT_SUMMARY, orderBy: [{ round: "asc" }, { number: "asc" }] } },
  });
  return makeCursorPage(
    rows,
    limit,
    ({ attempts, ...row }) => toDeliveryRecord(row, attempts.map(toAttemptSummary)),
    (row) => [row.createdAt.toISOString(), row.id],
  );
}

function behind(cursor: string): Prisma.WebhookDeliveryWhereInput {
  const [at, id] = decodeTimeCursor(cursor);
  const createdAt = new Date(at);
  // The bound on the time alone lets the index find the place.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] };
}
