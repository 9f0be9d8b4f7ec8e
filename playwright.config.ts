import { defineConfig } from "playwright/test";
import { BROWSER_ARGUMENTS } from "./e2e/support/browser";
import { findChromium } from "./scripts/support/find-browser";

/** Bounds for what hangs, on machines far slower than ours: no test fails by being slow. */
const HANGS_MS = { test: 180_000, condition: 30_000 };

/**
 * End-to-end tests over HTTP (`api` and `faults`, no browser) and in the browser (`panel`).
 *
 * E2E_BASE_URL: a service that runs already; without it the global setup builds and starts one and sets it.
 * E2E_REPORT_FILE: where the JSON report goes.
 */
const reportFile = process.env.E2E_REPORT_FILE;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/playwright",
  globalSetup: process.env.E2E_BASE_URL ? undefined : "./e2e/support/start-service.ts",
  fullyParallel: false,
  // Tests of the API wait more than they work; browsers work.
  workers: 4,
  // A machine that others use too stalls at times; what needs a second try is named at the end (docs/decisions/0023).
  retries: 1,
  forbidOnly: true,
  timeout: HANGS_MS.test,
  expect: { timeout: HANGS_MS.condition },
  // In `npm test` what failed is said once, at the end, and short: the last lines are those that people see.
  reporter: reportFile ? [["dot"], ["json", { outputFile: reportFile }]] : [["line"]],
  // Traces slow every test of a browser down: PLAYWRIGHT_TRACE=1 keeps them of failures.
  use: { trace: process.env.PLAYWRIGHT_TRACE ? "retain-on-failure" : "off" },
  projects: [
    { name: "api", testMatch: "api/**/*.spec.ts" },
    // The same tests with a real Inngest in place of the embedded runner, where INNGEST_SERVER_BIN names its server.
    ...(process.env.INNGEST_SERVER_BIN
      ? [{ name: "inngest", testMatch: ["api/**/*.spec.ts", "faults/{crash,stop}.spec.ts"] }]
      : []),
    // The same tests with files in Vercel Blob. How bytes are sent to the service's own address has no place there.
    ...(process.env.E2E_FILE_STORE === "blob"
      ? [{ name: "blob", testMatch: "api/**/*.spec.ts", testIgnore: "api/uploads/{post-uploads,put-upload}.spec.ts" }]
      : []),
    // These kill and cut off servers of their own.
    { name: "faults", testMatch: "faults/**/*.spec.ts" },
    // Looks at what all of those saw, so it comes last, and only in a run of everything.
    { name: "coverage", testMatch: "answers/**/*.spec.ts", dependencies: ["api", "faults"] },
    {
      name: "panel",
      workers: 3,
      testMatch: "panel/**/*.spec.ts",
      use: {
        browserName: "chromium",
        viewport: { width: 1280, height: 900 },
        // What was compiled for one page is kept for the next: opening it else costs a third more, more often than not. And
        // nothing is compiled for speed: no page lives long enough to have that back.
        launchOptions: {
          executablePath: findChromium(),
          args: [...BROWSER_ARGUMENTS, "--js-flags=--no-flush-bytecode --no-maglev --no-opt"],
        },
      },
    },
  ],
});
