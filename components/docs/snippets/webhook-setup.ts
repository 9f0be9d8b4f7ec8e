import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param hostUrl {host_url} of the specification */
export function webhookSetupSnippets(hostUrl: string) {
  return {
    register: {
      label: "registering a receiver",
      snippets: [
        {
          language: "curl",
          title: "POST /b2b/partners/:partnerId/webhooks",
          code: `ACCOUNT_ID=$(curl -sS ${hostUrl}/api/v1/account -H "X-API-Key: $API_KEY" | grep -o 'acc_[0-9a-z]*')

WEBHOOK=$(curl -sS ${hostUrl}/b2b/partners/$ACCOUNT_ID/webhooks \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "'$RECEIVER_URL'", "events": ["completion", "error"], "active": true}')
WEBHOOK_ID=$(echo "$WEBHOOK" | grep -o 'whk_[0-9a-z]*')`,
          answer: '201 {"id":"whk_01kb…","secret":"whsec_…","status":"active",…}',
        },
      ],
    },
    test: {
      label: "a test event",
      snippets: [
        {
          language: "curl",
          title: "POST /b2b/webhooks/:webhookId/test",
          code: `curl -sS -X POST ${hostUrl}/b2b/webhooks/$WEBHOOK_ID/test \\
  -H "X-API-Key: $API_KEY"`,
          answer: '202 {"deliveryId":"dlv_01kb…","event":"completion"}',
        },
      ],
    },
    callback: {
      label: "a call with a callback",
      snippets: [
        {
          language: "curl",
          title: "POST /chat with a callbackUrl",
          code: `curl -sS ${hostUrl}/api/v1/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "Say hello.", "callbackUrl": "'$RECEIVER_URL'", "reference": "order-4711"}'`,
          answer: '202 {"sessionId":"ses_01kb…","status":"started","callbackUrl":"https://…"}',
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
