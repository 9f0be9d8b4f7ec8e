import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param hostUrl {host_url} of the specification */
export function generatedClientSnippets(hostUrl: string) {
  return {
    generate: {
      label: "generating types",
      snippets: [
        {
          language: "curl",
          title: "Terminal",
          code: `npm install openapi-fetch openapi-typescript
npx openapi-typescript ${hostUrl}/openapi.json -o api.d.ts`,
        },
      ],
    },
    use: {
      label: "a typed client",
      snippets: [
        {
          language: "TypeScript",
          title: "client.mts, Node 22.18+",
          code: `import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

const { API_KEY = "" } = process.env;
const api = createClient<paths>({
  baseUrl: "${hostUrl}/api/v1",
  headers: { "X-API-Key": API_KEY },
});

const { data, error } = await api.POST("/chat", { body: { message: "Say hello." } });
if (error) throw new Error(\`\${error.error.code}: \${error.error.message}\`);
if (!("sessionId" in data)) throw new Error("A quote: that is the answer to dryRun.");

const { sessionId } = data;
const { data: session } = await api.GET("/chat/{sessionId}", { params: { path: { sessionId } } });
console.log(session?.id === sessionId, session?.status);

// A file goes in a form, which the generated types do not know: \`as never\` lets it through.
const form = new FormData();
form.set("file", new File(["item,price\\ntea,3\\n"], "prices.csv"));
form.set("prompt", "Which item costs more?");
const job = await api.POST("/process", { body: form as never });
console.log(job.response.status);`,
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
