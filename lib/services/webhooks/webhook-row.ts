import type { Webhook } from "@/lib/contracts/webhooks";
import type { WebhookRegistration } from "@/lib/db/generated/client";

/** The registration record of contract §8. Holds no secret. */
export function toWebhook(row: WebhookRegistration): Webhook {
  return {
    id: row.id,
    partnerId: row.accountId,
    url: row.url,
    events: row.events as Webhook["events"],
    active: row.active,
    status: row.status as Webhook["status"],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    lastDeliveryAt: row.lastDeliveryAt?.toISOString() ?? null,
  };
}
