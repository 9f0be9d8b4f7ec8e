import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs an operator command (contract §10) as a process of its own and returns the object that it prints. */
export async function operate<Result>(variables: Record<string, string>, ...args: string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, ["--import", "tsx", resolve("scripts/admin.ts"), ...args, "--json"], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
  });
  return JSON.parse(stdout) as Result;
}
