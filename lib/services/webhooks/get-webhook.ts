import type { Webhook } from "@/lib/contracts/webhooks";
import { findWebhook } from "@/lib/services/webhooks/find-webhook";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { toWebhook } from "@/lib/services/webhooks/webhook-row";

/**
 * One registration of the project.
 * @throws AppError NOT_FOUND
 */
export async function getWebhook(owner: WebhookOwner, id: string): Promise<Webhook> {
  return toWebhook(await findWebhook(owner, id));
}
