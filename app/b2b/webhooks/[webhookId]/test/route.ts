import { testWebhookEndpoint } from "@/lib/contracts/webhooks";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { testWebhook } from "@/lib/services/webhooks/test-webhook";

// POST /b2b/webhooks/:webhookId/test: send a mock event.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(testWebhookEndpoint, ({ principal, params, idempotency }) =>
    testWebhook({ accountId: principal.accountId }, params.webhookId, idempotency),
  ),
});
