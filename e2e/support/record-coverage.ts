import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Which test saw which status of which endpoint, over all processes of a test run. */

export interface CoverageEntry {
  /** "POST /chat" */
  operation: string;
  status: number;
  /** Of an error. */
  code?: string;
  test: string;
}

const recorded = new Set<string>();

/** Notes it in the file that `COVERAGE_FILE` names, a line each; without one, nowhere. */
export function recordCoverage(entry: CoverageEntry): void {
  const file = process.env.COVERAGE_FILE;
  const line = JSON.stringify(entry);
  if (!file || recorded.has(line)) return;
  recorded.add(line);
  // One short write at the file's end: lines of several processes do not mix.
  appendFileSync(file, `${line}\n`);
}

/** Everything noted so far. */
export function readCoverage(file: string): CoverageEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as CoverageEntry);
}

/** Where a full run leaves its table: a list of `CoverageRow`. */
export const COVERAGE_REPORT = resolve("test-results/endpoint-coverage.json");
