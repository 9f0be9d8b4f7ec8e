import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { fileSnippets } from "@/components/docs/snippets/files";
import { runAgainst } from "@/e2e/support/run-against";

/** The program that sends a file, waits for its result and downloads it. */
function program(url: string): string {
  const { send, wait } = fileSnippets(url);
  return [send, wait]
    .map(({ snippets }) => snippets.find(({ language }) => language === "TypeScript")?.code ?? "")
    .join("\n");
}

const TAKEN: RequestListener = (_request, response) =>
  response.writeHead(202).end('{"sessionId":"ses_1","status":"started"}');

it("goes on waiting for a result where the service is away for a moment, or asks to wait", async () => {
  const { stdout, calls } = await runAgainst(
    [
      TAKEN,
      (_request, response) => response.writeHead(502).end("<html>Bad gateway</html>"),
      (_request, response) => response.destroy(),
      (_request, response) => response.writeHead(429).end('{"error":{"code":"RATE_LIMITED"}}'),
      (_request, response) => response.writeHead(200).end('{"status":"completed","output":"Cake."}'),
      (_request, response) => response.writeHead(200, { "Content-Type": "text/markdown" }).end("Cake."),
    ],
    program,
  );
  expect(stdout).toBe("Cake.\ntext/markdown 5\n");
  expect(calls).toHaveLength(6);
});

it("ends its wait with the refusal of a session that is none", async () => {
  const refusal = '{"error":{"code":"NOT_FOUND","message":"There is no such session."}}';
  const run = runAgainst([TAKEN, (_request, response) => response.writeHead(404).end(refusal)], program);
  await expect(run).rejects.toThrow("There is no such session.");
});
