import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // TypeScript first: a helper process of the same name stands beside some modules as plain JavaScript.
  resolve: { alias: { "@": resolve(".") }, extensions: [".ts", ".tsx", ".mjs", ".js", ".json"] },
  test: {
    include: ["{bench,lib,inngest,scripts,e2e/support,app,components}/**/*.test.{ts,tsx}", "*.test.ts"],
    globalSetup: ["e2e/support/start-test-postgres.ts"],
    // Each file has a process of its own: settings, pools and databases are never shared.
    pool: "forks",
    isolate: true,
    // More than the two processors of a small machine: many of these tests wait, for kills, leases and retries.
    maxWorkers: 4,
    // A machine that others use too stalls at times; what needs a second try is named at the end (docs/decisions/0023).
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Of what is waited for: a bound for what hangs, on machines far slower than ours.
    expect: { poll: { timeout: 30_000 } },
  },
});
