import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param apiUrl {base_url} of the specification */
export function listSnippets(apiUrl: string) {
  return {
    walk: {
      label: "reading a list to its end",
      snippets: [
        {
          language: "TypeScript",
          title: "every-item.mts, Node 22.18+",
          code: `/** Every item of a list, each once, whatever is added or goes meanwhile. */
async function* everyItem(path: string): AsyncGenerator<any> {
  const headers = { "X-API-Key": process.env.API_KEY ?? "" };
  const idOf = (item: any): string | undefined => item?.id ?? item?.sessionId;
  const seen = new Set<string | undefined>();
  for (let offset = 0; ; ) {
    const response = await fetch(\`${apiUrl}\${path}?limit=100&offset=\${offset}\`, { headers });
    const { data, pagination, error }: any = await response.json();
    if (error) throw new Error(\`\${error.code}: \${error.message}\`);
    if (offset > 0 && !seen.has(idOf(data[0]))) {
      offset = Math.max(0, offset - 99); // Some went: what follows has moved up, so look for it further ahead.
      continue;
    }
    for (const item of data) {
      if (!seen.has(idOf(item))) yield item;
      seen.add(idOf(item));
    }
    if (!pagination.hasMore) return;
    offset += data.length - 1; // The next page begins with this one's last item.
  }
}

let count = 0;
for await (const session of everyItem("/chat/sessions")) count += session.kind === "chat" ? 1 : 0;
console.log(count, "chats");`,
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
