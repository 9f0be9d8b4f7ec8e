import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Program {
  file: string;
  command: string;
  /** Of the command, before the file. */
  args?: string[];
}

/**
 * Runs a program, in TypeScript if nothing else is said, against a server that answers its calls so, one after the other.
 * @param codeFor the program, for the server's address
 * @param program the file that it is written to, and what runs that
 * @returns what it wrote, and the calls that it made
 */
export async function runAgainst(
  answers: RequestListener[],
  codeFor: (url: string) => string,
  program: Program = { file: "snippet.mts", command: process.execPath },
) {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    calls.push(request);
    answers[calls.length - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "snippet-"));
  try {
    const { port } = server.address() as AddressInfo;
    await writeFile(join(folder, program.file), codeFor(`http://127.0.0.1:${port}`));
    const { stdout } = await run(program.command, [...(program.args ?? []), program.file], {
      cwd: folder,
      env: { ...process.env, API_KEY: "bld_test" },
    });
    return { stdout, calls };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
