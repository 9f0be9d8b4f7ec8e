import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param apiUrl {base_url} of the specification */
export function endUserSnippets(apiUrl: string) {
  return {
    name: {
      label: "a call for an end user",
      snippets: [
        {
          language: "curl",
          title: "POST /chat with an endUserId",
          code: `CHAT=$(curl -sS ${apiUrl}/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"endUserId": "customer-42", "message": "I prefer short answers."}')
SESSION_ID=$(echo "$CHAT" | grep -o 'ses_[0-9a-z]*')`,
          answer: '202 {"sessionId":"ses_01kb…","status":"started","callbackUrl":null}',
        },
      ],
    },
    apart: {
      label: "the check that end users are apart",
      snippets: [
        {
          language: "curl",
          title: "GET /chat/:sessionId?endUserId=",
          code: `for END_USER in customer-42 customer-43; do
  curl -sS -o /dev/null -w "$END_USER %{http_code}\\n" \\
    "${apiUrl}/chat/$SESSION_ID?endUserId=$END_USER" \\
    -H "X-API-Key: $API_KEY"
done`,
          answer: "customer-42 200, customer-43 404",
        },
      ],
    },
    list: {
      label: "the sessions of an end user",
      snippets: [
        {
          language: "curl",
          title: "GET /chat/sessions and /usage",
          code: `curl -sS "${apiUrl}/chat/sessions?endUserId=customer-42&limit=5" -H "X-API-Key: $API_KEY"
curl -sS "${apiUrl}/usage?endUserId=customer-42" -H "X-API-Key: $API_KEY"`,
        },
      ],
    },
    remove: {
      label: "the deletion of a session",
      snippets: [
        {
          language: "curl",
          title: "POST /chat/:sessionId/delete",
          code: `curl -sS -X POST "${apiUrl}/chat/$SESSION_ID/delete?endUserId=customer-42" \\
  -H "X-API-Key: $API_KEY"`,
          answer: '200 {"sessionId":"ses_01kb…","deleted":true}',
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
