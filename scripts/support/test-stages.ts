import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readAuditReport } from "@/scripts/support/read-audit-report";
import type { StageCount } from "@/scripts/support/stage-count";

/** A part of `npm test`. */
export interface Stage {
  name: string;
  /** Programs to run one after the other, as Node scripts with their arguments; the first that fails ends the stage. */
  commands: string[][];
  /** Whether it needs Postgres, and whether it needs a browser. */
  needs: ("postgres" | "browser")[];
  /** Of its programs alone: where their report goes. */
  variables?: Record<string, string>;
  /** A program that only some machines have: the variable that names its file, and what is said where none is named. */
  program?: { variable: string; missing: string };
  /**
   * Told in a run of everything, judged when it is asked for by name: what others publish about packages must not fail what
   * nobody changed.
   */
  isTold?: true;
  /** Runs where it is asked for by name alone. */
  isAsked?: true;
  /** Reads the report of a stage that counts tests; a stage without one is one test. */
  readReport?(): StageCount;
}

const REPORTS = resolve("test-results");
const VITEST_REPORT = join(REPORTS, "vitest.json");
const PLAYWRIGHT_REPORT = join(REPORTS, "playwright.json");
const INNGEST_REPORT = join(REPORTS, "playwright-inngest.json");
const BLOB_REPORT = join(REPORTS, "playwright-blob.json");
const AUDIT_REPORT = join(REPORTS, "audit.json");
const ROOMS = ["app", "bench", "components", "e2e", "inngest", "lib", "prisma", "scripts", "instrumentation.ts"];

const tool = (path: string) => resolve("node_modules", path);

/** All stages, in the order in which they run: the quick ones first. */
export const STAGES: readonly Stage[] = [
  {
    name: "types",
    // The first writes the types of the routes, which a clean clone lacks.
    commands: [
      [tool("next/dist/bin/next"), "typegen"],
      [tool("typescript/bin/tsc"), "--noEmit", "-p", "."],
    ],
    needs: [],
  },
  { name: "lint", commands: [[tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings"]], needs: [] },
  {
    name: "import-law",
    commands: [
      [
        tool("dependency-cruiser/bin/dependency-cruiser.mjs"),
        "--config",
        ".dependency-cruiser.cjs",
        ...ROOMS.filter(existsSync),
      ],
    ],
    needs: [],
  },
  { name: "dead-code", commands: [[tool("knip/bin/knip.js"), "--no-progress"]], needs: [] },
  {
    name: "audit",
    commands: [[resolve("scripts/audit-dependencies.mjs"), AUDIT_REPORT]],
    needs: [],
    isTold: true,
    readReport: () => readAuditReport(existsSync(AUDIT_REPORT) ? readFileSync(AUDIT_REPORT, "utf8") : undefined),
  },
  {
    name: "unit",
    commands: [
      [tool("vitest/vitest.mjs"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${VITEST_REPORT}`],
    ],
    needs: ["postgres"],
    readReport: () => readVitestReport(takeReport(VITEST_REPORT)),
  },
  {
    name: "e2e",
    commands: [[tool("playwright/cli.js"), "test"]],
    needs: ["postgres", "browser"],
    variables: { E2E_REPORT_FILE: PLAYWRIGHT_REPORT },
    readReport: () => readPlaywrightReport(takeReport(PLAYWRIGHT_REPORT)),
  },
  {
    name: "inngest",
    // The tests of the API once more, with a real Inngest in place of the embedded runner.
    commands: [[tool("playwright/cli.js"), "test", "--project=inngest"]],
    needs: ["postgres"],
    program: {
      variable: "INNGEST_SERVER_BIN",
      missing: "INNGEST_SERVER_BIN names no Inngest server, so the tests ran against the embedded runner alone.",
    },
    variables: { E2E_REPORT_FILE: INNGEST_REPORT },
    readReport: () => readPlaywrightReport(takeReport(INNGEST_REPORT)),
  },
  {
    name: "blob",
    // The tests of the API once more, with files in a server of Vercel Blob's protocol instead of on disk.
    commands: [[tool("playwright/cli.js"), "test", "--project=blob"]],
    needs: ["postgres"],
    isAsked: true,
    variables: { E2E_REPORT_FILE: BLOB_REPORT, E2E_FILE_STORE: "blob" },
    readReport: () => readPlaywrightReport(takeReport(BLOB_REPORT)),
  },
];

/** Why a stage cannot run here and need not; undefined when it can. */
export function whySkipped({ program }: Stage, variables: NodeJS.ProcessEnv): string | undefined {
  return program && !variables[program.variable] ? program.missing : undefined;
}

/** What the programs of a stage get: what all get, and its own. */
export function variablesOf({ program, variables }: Stage, all: NodeJS.ProcessEnv, shell: NodeJS.ProcessEnv) {
  return { ...all, ...variables, ...(program && { [program.variable]: shell[program.variable] }) };
}

/** Takes the reports of an earlier run away, so that a stage that dies cannot be taken for a good one. */
export function clearReports(): void {
  for (const path of [AUDIT_REPORT, VITEST_REPORT, PLAYWRIGHT_REPORT, INNGEST_REPORT, BLOB_REPORT])
    rmSync(path, { force: true });
}

function takeReport(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: VitestFile[];
}

interface VitestFile {
  name: string;
  status: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/**
 * Counts; a file that could not be loaded, and a skipped test, are failures too: neither passed. One that passed at the
 * second try passed, and is told by its name (docs/decisions/0023).
 */
export function readVitestReport(report: unknown): StageCount {
  if (report === undefined) return { passed: 0, failed: 1, remark: "It ended without a report." };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report as VitestReport;
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  ).length;
  // Of a test that passed in the end the report keeps what failed before.
  const shaky = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
      .map(({ fullName }) => `${relative(process.cwd(), name)} ${fullName}`),
  );
  return count(numPassedTests, numFailedTests + brokenFiles, numPendingTests + numTodoTests, shaky);
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  specs?: { title: string; file: string; line: number; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
}

/**
 * Counts; an error outside of the tests and a skipped test are failures too. One that passed at the second try passed, and
 * is told by its name (docs/decisions/0023).
 */
export function readPlaywrightReport(report: unknown): StageCount {
  if (report === undefined) return { passed: 0, failed: 1, remark: "It ended without a report." };
  const { stats, errors, suites } = report as PlaywrightReport;
  const outside = errors.length > 0 && stats.unexpected + stats.flaky === 0 ? 1 : 0;
  const shaky = suites.flatMap(secondTries);
  return count(stats.expected + stats.flaky, stats.unexpected + outside, stats.skipped, shaky);
}

function secondTries({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky"));
  return [...own.map(({ title, file, line }) => `${file}:${line} ${title}`), ...suites.flatMap(secondTries)];
}

function count(passed: number, failed: number, skipped: number, shaky: string[] = []): StageCount {
  if (passed + failed + skipped === 0) return { passed: 0, failed: 1, remark: "It ran no test." };
  const remarks = [
    ...(skipped > 0 ? [`${skipped} were skipped.`] : []),
    ...shaky.map((test) => `Passed at the second try only: ${test}`),
  ];
  return { passed, failed: failed + skipped, ...(remarks.length > 0 && { remark: remarks.join("\n") }) };
}
