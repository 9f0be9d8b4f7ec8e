import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "playwright/test";
import { findUnseen, formatCoverageTable, makeCoverageRows } from "@/e2e/support/coverage-table";
import { COVERAGE_REPORT, readCoverage } from "@/e2e/support/record-coverage";

/** Runs behind all other tests over HTTP, when all of them ran. */

test("every status and code that an endpoint documents was seen by a test", () => {
  const rows = makeCoverageRows(readCoverage(process.env.COVERAGE_FILE ?? ""));
  mkdirSync(dirname(COVERAGE_REPORT), { recursive: true });
  writeFileSync(COVERAGE_REPORT, JSON.stringify(rows, null, 2));
  expect(findUnseen(rows), `\n${formatCoverageTable(rows)}\n`).toEqual([]);
});
