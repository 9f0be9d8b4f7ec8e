import type { SnippetGroup } from "@/components/docs/snippets/snippet";

/** A whole receiver: raw bytes, check, dedupe, a quick answer. */
export const RECEIVER: SnippetGroup = {
  label: "a whole receiver",
  snippets: [
    {
      language: "TypeScript",
      title: "receiver.mts, beside is-fresh.mts, Node 22.18+",
      code: `import { createServer } from "node:http";
import { isFresh } from "./is-fresh.mts";

// During a rotation: the new secret and the old one.
const secrets = (process.env.WEBHOOK_SECRETS ?? "").split(",");
const seen = new Set<string>(); // In production: a table with a unique column.

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return; // Broken off: a delivery comes again.
  }
  const rawBody = Buffer.concat(chunks); // Parse only what was verified.
  const headers = request.headers as Record<string, string | undefined>;
  if (!isFresh(rawBody, headers, secrets)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end(); // First answer, then work: five seconds are a good limit.

  const delivery = headers["x-service-delivery"] ?? "";
  if (seen.has(delivery)) return; // A retry of what is done already.
  seen.add(delivery);
  const event = JSON.parse(rawBody.toString("utf8"));
  console.log(event.type, event.sessionId, event.output ?? event.error ?? "");
}).listen(Number(process.env.PORT ?? 8080));`,
    },
  ],
};
