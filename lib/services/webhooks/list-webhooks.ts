import type { Webhook } from "@/lib/contracts/webhooks";
import { prisma } from "@/lib/db/prisma";
import { type Page, type PageRequest, readPage } from "@/lib/domain/pagination";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { toWebhook } from "@/lib/services/webhooks/webhook-row";

/** The project's registrations, newest first. */
export async function listWebhooks({ accountId, projectId }: WebhookOwner, page: PageRequest): Promise<Page<Webhook>> {
  const where = { accountId, projectId };
  const read = async ({ limit, offset }: PageRequest) => {
    const rows = await prisma().webhookRegistration.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit,
      skip: offset,
    });
    return rows.map(toWebhook);
  };
  return readPage(page, read, () => prisma().webhookRegistration.count({ where }));
}
