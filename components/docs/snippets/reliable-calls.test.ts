import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { reliableCallSnippets } from "@/components/docs/snippets/reliable-calls";

const run = promisify(execFile);
const JSON_AT_ONCE = { "Content-Type": "application/json", "Retry-After": "0" };
const ACCEPTED = '{"sessionId":"ses_1"}';

/** What comes back to the tries of the first call, and to the one of the second. */
const ANSWERS: RequestListener[] = [
  (_request, response) => response.destroy(),
  (_request, response) => {
    response.writeHead(202, { ...JSON_AT_ONCE, "Content-Length": ACCEPTED.length });
    response.write(ACCEPTED.slice(0, 5), () => response.destroy());
  },
  (_request, response) => response.writeHead(502, JSON_AT_ONCE).end('{"message":"Bad gateway"}'),
  (_request, response) => response.writeHead(503, JSON_AT_ONCE).end('{"error":"no server"}'),
  (_request, response) => response.writeHead(202, JSON_AT_ONCE).end(ACCEPTED),
  (_request, response) =>
    response
      .writeHead(400, JSON_AT_ONCE)
      .end('{"error":{"code":"VALIDATION_FAILED","message":"No.","retryable":false}}'),
];

it("repeats a call under one key until its answer is there whole, whatever breaks or speaks on the way", async () => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    ANSWERS[keys.length - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "reliable-call-"));
  try {
    const { port } = server.address() as AddressInfo;
    const [snippet] = reliableCallSnippets(`http://127.0.0.1:${port}`).retry.snippets;
    await writeFile(join(folder, "reliable-call.mts"), snippet?.code ?? "");
    const { stdout } = await run(process.execPath, ["reliable-call.mts"], { cwd: folder });
    expect(stdout).toBe("{ sessionId: 'ses_1' }\nVALIDATION_FAILED: No.\n");
    expect(keys).toHaveLength(ANSWERS.length);
    expect(new Set(keys.slice(0, -1)).size).toBe(1);
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
