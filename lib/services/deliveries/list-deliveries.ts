import { prisma } from "@/lib/db/prisma";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { Principal } from "@/lib/domain/principal";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";
import {
  ATTEMPT_SUMMARY,
  type DeliveryRecord,
  toAttemptSummary,
  toDeliveryRecord,
} from "@/lib/services/deliveries/delivery-record";
import type { DeliveryStatus } from "@/lib/services/deliveries/load-delivery";

/** Filters combine with AND. */
export interface DeliveryFilters {
  webhookId?: string;
  sessionId?: string;
  status?: DeliveryStatus;
  event?: WebhookEventKind;
}

/** The project's deliveries, newest first, each with its attempts (without what came back in full). */
export async function listDeliveries(
  { accountId, projectId }: Pick<Principal, "accountId" | "projectId">,
  page: PageRequest,
  { webhookId, ...filters }: DeliveryFilters = {},
): Promise<Page<DeliveryRecord>> {
  const where = { accountId, projectId, ...filters, ...(webhookId !== undefined && { registrationId: webhookId }) };
  const [rows, total] = await Promise.all([
    prisma().webhookDelivery.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: page.limit,
      skip: page.offset,
      include: { attempts: { select: ATTEMPT_SUMMARY, orderBy: [{ round: "asc" }, { number: "asc" }] } },
    }),
    prisma().webhookDelivery.count({ where }),
  ]);
  const deliveries = rows.map(({ attempts, ...row }) => toDeliveryRecord(row, attempts.map(toAttemptSummary)));
  return makePage(deliveries, total, page);
}
