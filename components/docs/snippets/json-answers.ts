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
        title: "files.mts, on",
        code: `const outputSchema = {
  type: "object",
  properties: {
    total: { type: ["number", "null"], description: "With tax" },
    currency: { type: ["string", "null"], description: "ISO 4217" },
  },
  required: ["total", "currency"],
  additionalProperties: false,
};
const receipt = new FormData();
receipt.set("file", new File(["Tea 3.00 EUR\\nCake 5.00 EUR\\n"], "receipt.txt"));
receipt.set("prompt", "Read this receipt.");
receipt.set("outputSchema", JSON.stringify(outputSchema));
await fetch(\`\${api}/process\`, { method: "POST", headers, body: receipt });

/** Of the record, once it is completed. */
function readReceipt({ output }: { output: string }): { total: number | null; currency: string | null } {
  return JSON.parse(output);
}`,
      },
    ],
  };
}
