import type { Webhook } from "@/lib/contracts/webhooks";
import { prisma } from "@/lib/db/prisma";
import { makePage, type Page, type PageRequest } from "@/lib/domain/pagination";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { toWebhook } from "@/lib/services/webhooks/webhook-row";

/** The project's registrations, newest first. */
export async function listWebhooks({ accountId, projectId }: WebhookOwner, page: PageRequest): Promise<Page<Webhook>> {
  const where = { accountId, projectId };
  const [rows, total] = await Promise.all([
    prisma().webhookRegistration.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: page.limit,
      skip: page.offset,
    }),
    prisma().webhookRegistration.count({ where }),
  ]);
  return makePage(rows.map(toWebhook), total, page);
}
