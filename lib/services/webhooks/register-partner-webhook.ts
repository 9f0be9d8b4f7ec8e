import type { CreatedWebhook, CreateWebhookBody } from "@/lib/contracts/webhooks";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";

/**
 * POST /b2b/partners/:partnerId/webhooks: a key registers receivers for its own account alone.
 * @throws AppError NOT_FOUND (any other partner, whether it exists or not), URL_NOT_HTTPS, URL_NOT_ALLOWED, VALIDATION_FAILED
 */
export async function registerPartnerWebhook(
  principal: Principal,
  partnerId: string,
  body: CreateWebhookBody,
  idempotency?: IdempotencyClaim,
): Promise<CreatedWebhook> {
  if (partnerId !== principal.accountId) throw notFound("The partner");
  return createWebhook(principal, body, undefined, idempotency);
}
