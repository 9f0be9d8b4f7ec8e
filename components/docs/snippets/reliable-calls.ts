import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param apiUrl {base_url} of the specification */
export function reliableCallSnippets(apiUrl: string) {
  return {
    key: {
      label: "a call with an idempotency key",
      snippets: [
        {
          language: "curl",
          title: "the same call, twice",
          code: `KEY=order-4711-$(date +%s)
for TRY in 1 2; do
  curl -sSi ${apiUrl}/chat \\
    -H "X-API-Key: $API_KEY" \\
    -H "Idempotency-Key: $KEY" \\
    -H "Content-Type: application/json" \\
    -d '{"message": "Thank the customer for order 4711."}' |
    grep -iE '^HTTP|^idempotent-replayed|sessionId'
done`,
          answer: "The second answer is the first one's, with Idempotent-Replayed: true",
        },
      ],
    },
    retry: {
      label: "a call that is repeated as long as it makes sense",
      snippets: [
        {
          language: "TypeScript",
          title: "reliable-call.mts, Node 22.18+",
          code: `import { randomUUID } from "node:crypto";

const api = "${apiUrl}";

/** Sends a call until it is answered for good; with one key for all tries, its work starts once at most. */
async function send(path: string, body: object, tries = 5): Promise<any> {
  const headers = {
    "X-API-Key": process.env.API_KEY ?? "",
    "Content-Type": "application/json",
    "Idempotency-Key": randomUUID(),
  };
  for (let pause = 1; ; pause *= 2) {
    tries -= 1;
    const init = { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
    const response = await fetch(api + path, init).catch(() => null); // No answer: nobody knows what became of it.
    const answer: any = await response?.json().catch(() => null); // Nor when it breaks off.
    if (response?.ok && answer) return answer;
    const error = answer?.error?.code ? answer.error : null; // A proxy on the way has words of its own.
    if (tries === 0 || (error && !error.retryable)) {
      throw new Error(error ? \`\${error.code}: \${error.message}\` : "No answer.");
    }
    const asked = Number(response?.headers.get("Retry-After") ?? pause);
    const seconds = Number.isNaN(asked) ? pause : asked; // A proxy may name a date.
    await new Promise((resume) => setTimeout(resume, seconds * 1000));
  }
}

console.log(await send("/chat", { message: "Thank the customer for order 4711." }));
await send("/chat", { message: 42 }).catch((error) => console.log(error.message));`,
        },
      ],
    },
    again: {
      label: "all that failed, tried again",
      snippets: [
        {
          language: "curl",
          title: "the newest 100 of them",
          code: `curl -sS "${apiUrl}/process?status=failed&limit=100" -H "X-API-Key: $API_KEY" |
  grep -o '"sessionId":"[^"]*' | cut -d '"' -f 4 |
  while read -r ID; do
    curl -sS -X POST "${apiUrl}/process/$ID/retry" -H "X-API-Key: $API_KEY"
  done`,
          answer: '202 {"sessionId":"ses_…","status":"resumed","callbackUrl":null} for each',
        },
      ],
    },
    quote: {
      label: "a quote",
      snippets: [
        {
          language: "curl",
          title: "POST /chat?dryRun=true",
          code: `curl -sS "${apiUrl}/chat?dryRun=true" \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "Write a long story.", "maxCredits": 5}'`,
          answer: '200 {"tokensInEstimate":12,"creditsEstimate":{"min":1,"max":5},"warnings":[],"wouldExceed":null}',
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
