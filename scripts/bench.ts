import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `npm run bench [-- name]`: lists the benchmarks, or runs one. Each prints its own figures. */

const FOLDER = "bench";

function benchmarks(): Map<string, string> {
  if (!existsSync(FOLDER)) return new Map();
  const files = readdirSync(FOLDER).filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes(".test."));
  return new Map(files.sort().map((file) => [file.replace(/\.\w+$/, ""), join(FOLDER, file)]));
}

/** The first sentence of the file's comment. */
function purposeOf(path: string): string {
  const [, comment = ""] = /\/\*\*\s*([\s\S]*?)\*\//.exec(readFileSync(path, "utf8")) ?? [];
  return (
    comment
      .replace(/\s*\n\s*\*\s?/g, " ")
      .trim()
      .split(/(?<=\.)\s/)[0] ?? ""
  );
}

const [name, ...args] = process.argv.slice(2);
const known = benchmarks();
const path = name === undefined ? undefined : known.get(name);
if (path !== undefined) {
  const { status } = spawnSync(process.execPath, ["--import", "tsx", path, ...args], { stdio: "inherit" });
  process.exit(status ?? 1);
}
if (name !== undefined) process.stderr.write(`${name} is not a benchmark.\n`);
process.stdout.write("Usage: npm run bench -- <name>\n");
for (const [title, file] of known) process.stdout.write(`  ${title.padEnd(24)} ${purposeOf(file)}\n`);
process.exit(name === undefined ? 0 : 1);
