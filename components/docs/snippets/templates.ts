import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param apiUrl {base_url} of the specification */
export function templateSnippets(apiUrl: string) {
  return {
    create: {
      label: "creating a template",
      snippets: [
        {
          language: "curl",
          title: "POST /templates",
          code: `TEMPLATE=$(curl -sS ${apiUrl}/templates \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "name": "Reply to a review",
    "promptTemplate": "Answer this review as {{company}}, in a {{tone}} tone: {{message}}",
    "variables": { "tone": "friendly" },
    "tags": ["reviews"]
  }')
TEMPLATE_ID=$(echo "$TEMPLATE" | grep -o 'tpl_[0-9a-z]*')`,
          answer: '201 {"id":"tpl_01kb…","slug":"reply-to-a-review","version":1,"usageCount":0,…}',
        },
      ],
    },
    use: {
      label: "using a template",
      snippets: [
        {
          language: "curl",
          title: "POST /chat with a templateId",
          code: `curl -sS ${apiUrl}/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "templateId": "'$TEMPLATE_ID'",
    "templateVars": { "company": "Acme Tea" },
    "message": "The tea was cold, but the staff was kind."
  }'`,
          answer: '202 {"sessionId":"ses_01kb…","status":"started","callbackUrl":null}',
        },
      ],
    },
    upload: {
      label: "uploading a template",
      snippets: [
        {
          language: "curl",
          title: "POST /templates/upload",
          code: `printf 'Summarise in {{language}}, in at most three sentences.' > summary.md

curl -sS ${apiUrl}/templates/upload \\
  -H "X-API-Key: $API_KEY" \\
  -F file=@summary.md \\
  -F 'variables={"language": "English"}'`,
          answer: '201 {"id":"tpl_01kb…","name":"summary",…}',
        },
      ],
    },
    change: {
      label: "changing a template",
      snippets: [
        {
          language: "curl",
          title: "PUT /templates/:id, then /versions",
          code: `curl -sS -X PUT ${apiUrl}/templates/$TEMPLATE_ID \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"variables": {"tone": "formal"}}'

curl -sS ${apiUrl}/templates/$TEMPLATE_ID/versions \\
  -H "X-API-Key: $API_KEY"`,
          answer: '200 {"data":[{"version":2,…},{"version":1,…}],…}',
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
