import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Only the owner reads and writes. */
const PRIVATE_MODE = 0o600;

/**
 * Writes a file whole or not at all, readable by its owner alone.
 * @throws Error that names the file and what to do
 */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: PRIVATE_MODE, flush: true });
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const advice = "See that its disk has room, and that this user may write there.";
    throw new Error(`${path} cannot be written (${why}). ${advice}`, { cause });
  }
}

/** The same for a JSON file. */
export function writePrivateJson(path: string, value: unknown): void {
  writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

const MADE_ANEW = "Restore it, or remove it to have it made anew.";

/**
 * Reads a JSON file; undefined when it is not there.
 * @param advice what to do with one that is not JSON
 * @throws Error that names the file when it is not JSON
 */
export function readJson<T>(path: string, advice = MADE_ANEW): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${path} is damaged: it is not JSON. ${advice}`);
  }
}
