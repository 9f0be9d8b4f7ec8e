import { createWebhookEndpoint } from "@/lib/contracts/webhooks";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { registerPartnerWebhook } from "@/lib/services/webhooks/register-partner-webhook";

// POST /b2b/partners/:partnerId/webhooks: register a receiver.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(createWebhookEndpoint, ({ principal, params, body, idempotency }) =>
    registerPartnerWebhook(principal, params.partnerId, body, idempotency),
  ),
});
