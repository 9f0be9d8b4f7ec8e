import { defineConfig } from "playwright/test";
import { BROWSER_ARGUMENTS, findChromium } from "./e2e/support/browser";

const SLOWEST_TEST_MS = 60_000;

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
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: SLOWEST_TEST_MS,
  expect: { timeout: 10_000 },
  reporter: reportFile ? [["line"], ["json", { outputFile: reportFile }]] : [["line"]],
  use: { trace: "retain-on-failure" },
  projects: [
    { name: "api", testMatch: "api/**/*.spec.ts" },
    // These kill and cut off servers of their own.
    { name: "faults", testMatch: "faults/**/*.spec.ts" },
    // Looks at what all of those saw, so it comes last, and only in a run of everything.
    { name: "coverage", testMatch: "answers/**/*.spec.ts", dependencies: ["api", "faults"] },
    {
      name: "panel",
      testMatch: "panel/**/*.spec.ts",
      use: {
        browserName: "chromium",
        viewport: { width: 1280, height: 900 },
        launchOptions: { executablePath: findChromium(), args: BROWSER_ARGUMENTS },
      },
    },
  ],
});
