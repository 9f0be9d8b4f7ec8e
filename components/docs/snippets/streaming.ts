import type { SnippetGroup } from "@/components/docs/snippets/snippet";
import { backendStreams } from "@/components/docs/snippets/streaming-backends";
import { LINK_IN_PAGE, linkOfServer } from "@/components/docs/snippets/streaming-pages";

/** @param apiUrl {base_url} of the specification */
export function streamingSnippets(apiUrl: string) {
  return {
    follow: {
      label: "following a stream",
      snippets: [
        {
          language: "curl",
          title: "GET /chat/:sessionId/stream",
          code: `SESSION_ID=$(curl -sS ${apiUrl}/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "Tell me a short story."}' | grep -o 'ses_[0-9a-z]*')

curl -sSN ${apiUrl}/chat/$SESSION_ID/stream \\
  -H "X-API-Key: $API_KEY"`,
          answer: 'id: 1\nevent: chunk\ndata: {"sessionId":"ses_01kb…","delta":"Once"}',
        },
        {
          language: "TypeScript",
          title: "stream.mts, Node 22.18+",
          code: `const api = "${apiUrl}";
const headers = { "X-API-Key": process.env.API_KEY ?? "" };

/** Every event of a session's latest turn; a connection that breaks is taken up where it ended. */
async function* followTurn(sessionId: string) {
  for (let after = 0; ; ) {
    const init = { headers, signal: AbortSignal.timeout(120_000) }; // Also a line that goes silent is taken up again.
    const answered = await fetch(\`\${api}/chat/\${sessionId}/stream?after=\${after}\`, init).catch(() => null);
    const response = answered && answered.status < 500 ? answered : null; // None: the service is away for a moment.
    if (response?.status === 204) return; // The turn's last event was read before.
    if (response && !response.ok) throw new Error(\`The stream answered \${response.status}.\`);
    let text = "";
    try {
      for await (const part of response?.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (text + part).split("\\n\\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const [, name] = /^event: (.+)$/m.exec(block) ?? [];
          const [, data] = /^data: (.+)$/m.exec(block) ?? [];
          if (!name || !data) continue; // A comment that keeps the line open.
          after = Number(/^id: (\\d+)$/m.exec(block)?.[1] ?? after);
          yield { name, data: JSON.parse(data) };
          if (name === "completed" || name === "error") return;
        }
      }
    } catch {} // Broken off: once more, after the last event.
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

const chat = await fetch(\`\${api}/chat\`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ message: "Tell me a short story." }),
});
const { sessionId } = (await chat.json()) as { sessionId: string };

let answer = "";
for await (const { name, data } of followTurn(sessionId)) {
  if (name === "reset") answer = "";
  if (name === "chunk") answer += data.delta;
  if (name === "error") throw new Error(data.error.message);
  if (name === "completed") console.log(answer === data.output, answer);
}`,
        },
        {
          language: "Python",
          title: "stream.py, without packages",
          code: `import json, os, time, urllib.request
from http.client import HTTPException

API = "${apiUrl}"
HEADERS = {"X-API-Key": os.environ["API_KEY"], "Content-Type": "application/json"}

def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data, HEADERS)
    return urllib.request.urlopen(request, timeout=60)  # A stream gives a sign of life every 15 seconds.

session_id = json.load(call("/chat", {"message": "Tell me a short story."}))["sessionId"]

answer, after, done = "", 0, False
while not done:  # A connection that breaks is taken up where it ended.
    event = number = None
    try:
        for line in call(f"/chat/{session_id}/stream?after={after}"):
            field, _, value = line.decode(errors="replace").rstrip("\\n").partition(": ")
            if field == "id":
                number = value
            if field == "event":
                event = value
            if field == "data" and line.endswith(b"\\n"):
                data = json.loads(value)
                after, number = number or after, None
                if event == "reset":
                    answer = ""
                if event == "chunk":
                    answer += data["delta"]
                if event == "error":
                    raise RuntimeError(data["error"]["message"])
                if event == "completed":
                    print(answer == data["output"], answer)
                    done = True
    except (OSError, HTTPException) as broken:
        if getattr(broken, "code", 500) < 500:
            raise
    if not done:
        time.sleep(1)`,
        },
        ...backendStreams(apiUrl),
      ],
    },
    link: linkOfServer(apiUrl),
    page: LINK_IN_PAGE,
  } satisfies Record<string, SnippetGroup>;
}
