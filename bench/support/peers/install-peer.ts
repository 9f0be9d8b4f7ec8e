import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startProgress } from "@/scripts/support/run-quietly.mjs";

/** Another product that the service is measured beside. */
export interface Peer {
  /** Of the package, as npm knows it. */
  name: string;
  version: string;
  /** Its program, from the package's own folder. */
  program: string;
}

const INSTALL_SECONDS = 420;

/**
 * Installs a peer outside of the project, once for all runs, without running any script of its packages. One that cannot
 * be installed is not tried again by later runs.
 * @returns the path of its program, or in words why it cannot be had here
 */
export async function installPeer({ name, version, program }: Peer): Promise<{ path: string } | { refusal: string }> {
  const folder = join(tmpdir(), "service-bench-peers", `${name.replaceAll("/", "-")}-${version}`);
  const path = join(folder, "node_modules", name, program);
  const done = join(folder, "installed");
  if (existsSync(done) && existsSync(path)) return { path };
  const refused = `${folder}.refused`;
  if (existsSync(refused)) return { refusal: `${await readFile(refused, "utf8")} (delete ${refused} to try again)` };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // npm would look for a project further up.
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder];
  const progress = startProgress(`Installing ${name} ${version} outside of the project`);
  try {
    await promisify(execFile)(npmProgram(), ["install", ...flags, `${name}@${version}`], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: "production" },
      timeout: INSTALL_SECONDS * 1_000,
      shell: process.platform === "win32",
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const isLate = (error as { killed?: boolean }).killed === true;
    const reason = isLate ? `npm took longer than ${INSTALL_SECONDS / 60} minutes` : lastLine(error);
    const refusal = `${name} ${version} could not be installed: ${reason}`;
    // Trying takes minutes, and what a registry lacks today it lacks in an hour.
    await writeFile(refused, refusal);
    return { refusal };
  } finally {
    progress.end();
  }
  if (!existsSync(path)) return { refusal: `${name} ${version} has no ${program}` };
  await writeFile(done, "");
  return { path };
}

/** That of the Node that runs this, else the one on the PATH. */
function npmProgram(): string {
  const name = process.platform === "win32" ? "npm.cmd" : "npm";
  const own = join(dirname(process.execPath), name);
  return existsSync(own) ? own : name;
}

/** npm ends with where its log is; what was wrong stands before. */
function lastLine(error: unknown): string {
  const lines = String(error instanceof Error ? error.message : error)
    .trim()
    .split("\n");
  return lines.findLast((line) => line.trim() !== "" && !line.includes("A complete log")) ?? "";
}
