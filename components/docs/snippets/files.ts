import { backendUploads } from "@/components/docs/snippets/files-backends";
import { UPLOAD_IN_PAGE } from "@/components/docs/snippets/files-pages";
import { jsonAnswers } from "@/components/docs/snippets/json-answers";
import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** @param apiUrl {base_url} of the specification */
export function fileSnippets(apiUrl: string) {
  return {
    send: {
      label: "sending a file",
      snippets: [
        {
          language: "curl",
          title: "POST /process",
          code: `printf 'item,price\\ntea,3\\ncake,5\\n' > prices.csv

JOB=$(curl -sS ${apiUrl}/process \\
  -H "X-API-Key: $API_KEY" \\
  -F file=@prices.csv \\
  -F prompt="Which item costs more?")
JOB_ID=$(echo "$JOB" | grep -o 'ses_[0-9a-z]*')`,
          answer: '202 {"sessionId":"ses_01kb…","status":"started","fileUrl":"…"}',
        },
        {
          language: "TypeScript",
          title: "files.mts, Node 22.18+",
          code: `const api = "${apiUrl}";
const headers = { "X-API-Key": process.env.API_KEY ?? "" };

const form = new FormData();
form.set("file", new File(["item,price\\ntea,3\\ncake,5\\n"], "prices.csv"));
form.set("prompt", "Which item costs more?");
const sent = await fetch(\`\${api}/process\`, { method: "POST", headers, body: form });
const { sessionId } = (await sent.json()) as { sessionId: string };`,
        },
        ...backendUploads(apiUrl),
      ],
    },
    json: jsonAnswers(apiUrl),
    wait: {
      label: "waiting for the result",
      snippets: [
        {
          language: "curl",
          title: "GET /process/:id, then /download",
          code: `while curl -sS ${apiUrl}/process/$JOB_ID -H "X-API-Key: $API_KEY" |
  grep -qE '"status": ?"(started|resumed)"'; do sleep 1; done

curl -sS ${apiUrl}/process/$JOB_ID/download \\
  -H "X-API-Key: $API_KEY" \\
  -o result.md
cat result.md`,
        },
        {
          language: "TypeScript",
          title: "files.mts, on",
          code: `let job = { status: "started", output: "", error: { message: "" } };
for (let wait = 500; job.status === "started" || job.status === "resumed"; wait = Math.min(wait * 1.5, 10_000)) {
  await new Promise((resume) => setTimeout(resume, wait));
  const init = { headers, signal: AbortSignal.timeout(60_000) };
  const asked = await fetch(\`\${api}/process/\${sessionId}\`, init).catch(() => null);
  if (asked?.ok) job = (await asked.json()) as typeof job;
  else if (asked && asked.status < 500 && asked.status !== 429) throw new Error(await asked.text());
} // Where the service is away for a moment, the work goes on, and so does the loop.
if (job.status !== "completed") throw new Error(job.error?.message ?? job.status);
console.log(job.output);

const download = await fetch(\`\${api}/process/\${sessionId}/download\`, { headers });
console.log(download.headers.get("content-type"), (await download.arrayBuffer()).byteLength);`,
        },
      ],
    },
    batch: {
      label: "sending a batch",
      snippets: [
        {
          language: "curl",
          title: "POST /process/batch",
          code: `curl -sS ${apiUrl}/process/batch \\
  -H "X-API-Key: $API_KEY" \\
  -F file=@prices.csv \\
  -F file=@prices.csv \\
  -F prompt="Which item costs more?"`,
          answer: '202 [{"sessionId":"ses_01kb…","status":"started","fileUrl":"…"}, …]',
        },
      ],
    },
    direct: {
      label: "uploading directly",
      snippets: [
        {
          language: "TypeScript",
          title: "files.mts, on: POST /uploads, PUT, POST /process",
          code: `const prices = new Blob(["item,price\\ntea,3\\ncake,5\\n"]);
const asked = await fetch(\`\${api}/uploads\`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ name: "prices.csv", size: prices.size }),
});
type Upload = { uploadId: string; uploadUrl: string; method: string; headers: Record<string, string> };
const upload = (await asked.json()) as Upload;
const put = await fetch(upload.uploadUrl, { method: upload.method, headers: upload.headers, body: prices });
if (!put.ok) throw new Error(await put.text());

const byReference = new FormData();
byReference.set("uploadId", upload.uploadId);
byReference.set("prompt", "Which item costs more?");
const accepted = await fetch(\`\${api}/process\`, { method: "POST", headers, body: byReference });
console.log(accepted.status);`,
        },
      ],
    },
    page: UPLOAD_IN_PAGE,
    goOn: {
      label: "asking on about the file",
      snippets: [
        {
          language: "curl",
          title: "POST /chat with the sessionId",
          code: `curl -sS ${apiUrl}/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"sessionId": "'$JOB_ID'", "message": "And which costs less?"}'`,
          answer: '202 {"sessionId":"ses_01kb…","status":"resumed","callbackUrl":null}',
        },
      ],
    },
  } satisfies Record<string, SnippetGroup>;
}
