import { existsSync, readFileSync } from "node:fs";
import type { Benchmark } from "@/bench/support/benchmark";
import { type CoverageRow, findUnseen, formatCoverageTable } from "@/e2e/support/coverage-table";
import { COVERAGE_REPORT } from "@/e2e/support/record-coverage";

/**
 * Prints endpoint × documented status × number of tests that saw it, as the last full run of the end-to-end tests left
 * it, and under each endpoint's name the same by error code.
 */
export const coverageTable: Benchmark = ({ report, isShort }) => {
  if (!existsSync(COVERAGE_REPORT)) {
    report.note("No full run of the end-to-end tests is known here. Run `npm test -- e2e` first.");
    return Promise.resolve();
  }
  const rows = JSON.parse(readFileSync(COVERAGE_REPORT, "utf8")) as CoverageRow[];
  console.log(`\n${formatCoverageTable(rows)}\n`);
  if (!isShort) console.log(`${rows.map(lineOf).join("\n")}\n`);
  const unseen = findUnseen(rows);
  report.figure("endpoints", new Set(rows.map(({ operation }) => operation)).size, "");
  report.figure("documented answers", rows.length, "");
  report.figure("tests that saw one", new Set(rows.flatMap(({ tests }) => tests)).size, "");
  report.mustHold(unseen.length === 0, `No test saw ${unseen.join(", ")}.`);
  return Promise.resolve();
};

/** One answer with the test that saw it, and how many more did. */
function lineOf({ operation, status, code, tests }: CoverageRow): string {
  const [first = "(no test)"] = tests;
  const more = tests.length > 1 ? ` and ${tests.length - 1} more` : "";
  return `${operation}  ${status}  ${code ?? ""}  ${first}${more}`;
}
