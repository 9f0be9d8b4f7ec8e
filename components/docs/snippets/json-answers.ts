import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** A file whose answer is JSON by a schema. @param apiUrl {base_url} of the specification */
export function jsonAnswers(apiUrl: string): SnippetGroup {
  return {
    label: "getting JSON",
    snippets: [
      {
        language: "curl",
        title: "POST /process",
        code: `printf 'Tea 3.00 EUR\\nCake 5.00 EUR\\n' > receipt.txt

curl -sS ${apiUrl}/process \\
  -H "X-API-Key: $API_KEY" \\
  -F file=@receipt.txt \\
  -F prompt="Read this receipt." \\
  -F outputSchema='{
    "type": "object",
    "properties": {
      "total": {"type": ["number", "null"], "description": "With tax"},
      "currency": {"type": ["string", "null"], "description": "ISO 4217"}
    },
    "required": ["total", "currency"],
    "additionalProperties": false
  }'`,
        answer: '202 {"sessionId":"ses_01kb…","status":"started","fileUrl":"…"}',
      },
      {
        language: "TypeScript",
        title: "receipt.mts, Node 22.18+",
        code: `const api = "${apiUrl}";
const headers = { "X-API-Key": process.env.API_KEY ?? "" };

const outputSchema = {
  type: "object",
  properties: {
    total: { type: ["number", "null"], description: "With tax" },
    currency: { type: ["string", "null"], description: "ISO 4217" },
  },
  required: ["total", "currency"],
  additionalProperties: false,
};
const form = new FormData();
form.set("file", new File(["Tea 3.00 EUR\\nCake 5.00 EUR\\n"], "receipt.txt"));
form.set("prompt", "Read this receipt.");
form.set("outputSchema", JSON.stringify(outputSchema));
const sent = await fetch(\`\${api}/process\`, { method: "POST", headers, body: form });
const { sessionId } = await sent.json();

let job = { status: "started", output: "", error: { message: "" } };
while (job.status === "started") {
  await new Promise((resume) => setTimeout(resume, 1_000));
  job = await (await fetch(\`\${api}/process/\${sessionId}\`, { headers })).json();
}
if (job.status !== "completed") throw new Error(job.error?.message ?? job.status);
const receipt: { total: number | null; currency: string | null } = JSON.parse(job.output);
console.log(receipt.total, receipt.currency);`,
      },
    ],
  };
}
