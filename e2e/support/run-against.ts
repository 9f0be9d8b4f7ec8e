import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs a program in TypeScript against a server that answers its calls so, one after the other.
 * @param codeFor the program, for the server's address
 * @returns what it wrote, and the calls that it made
 */
export async function runAgainst(answers: RequestListener[], codeFor: (url: string) => string) {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    calls.push(request);
    answers[calls.length - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "snippet-"));
  try {
    const { port } = server.address() as AddressInfo;
    await writeFile(join(folder, "snippet.mts"), codeFor(`http://127.0.0.1:${port}`));
    const { stdout } = await run(process.execPath, ["snippet.mts"], { cwd: folder });
    return { stdout, calls };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
