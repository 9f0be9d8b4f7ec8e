import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** Where the page below asks its own server for a link. */
export const LINK_PATH = "/answer-link";

/** What the server does, which has the key. @param apiUrl {base_url} of the specification */
export function linkOfServer(apiUrl: string): SnippetGroup {
  return {
    label: "getting a link",
    snippets: [
      {
        language: "curl",
        title: "POST /chat/:sessionId/stream-links",
        code: `curl -sS -X POST ${apiUrl}/chat/$SESSION_ID/stream-links \\
  -H "X-API-Key: $API_KEY"`,
        answer: `200 {"url":"${apiUrl}/streams/v1.k3Jq…","expiresAt":"…"}`,
      },
      {
        language: "TypeScript",
        title: "stream.mts, on",
        code: `const link = await fetch(\`\${api}/chat/\${sessionId}/stream-links\`, { method: "POST", headers });
const { url } = (await link.json()) as { url: string }; // For the page of the user whose session it is.
console.log(url);`,
      },
    ],
  };
}

/** What the page does with it. */
export const LINK_IN_PAGE: SnippetGroup = {
  label: "following in a page",
  snippets: [
    {
      language: "HTML",
      title: "In your page",
      code: `<p id="answer"></p>
<script type="module">
  const answer = document.getElementById("answer");

  async function follow(after) {
    const goOn = () => setTimeout(() => follow(after), 5000);
    // Your own server's, for who is signed in there: it hands the link on.
    const link = await fetch("${LINK_PATH}").catch(() => null);
    if (!link?.ok) return goOn();
    const { url } = await link.json();
    const stream = new EventSource(\`\${url}?after=\${after}\`);
    const on = (name, then) =>
      stream.addEventListener(name, ({ data, lastEventId }) => {
        after = lastEventId || after;
        if (data) then(JSON.parse(data));
      });

    on("chunk", ({ delta }) => answer.append(delta));
    on("reset", () => answer.replaceChildren());
    on("completed", () => stream.close());
    on("error", ({ error }) => {
      stream.close();
      answer.append(error.message);
    });
    // What is refused, the browser leaves at that: go on by a new link.
    stream.onerror = ({ data }) => {
      if (!data && stream.readyState === EventSource.CLOSED) goOn();
    };
  }
  follow(0);
</script>`,
    },
  ],
};
