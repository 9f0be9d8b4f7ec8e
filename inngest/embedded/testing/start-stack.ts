import type { Inngest, InngestFunction } from "inngest";
import { Pool } from "pg";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { type Runner, type RunnerOptions, startRunner } from "@/inngest/embedded/start-runner";
import { EVENT_KEY, SIGNING_KEY, startTestApp, type TestApp } from "@/inngest/embedded/testing/test-app";

export interface Stack {
  database: TestDatabase;
  pool: Pool;
  /** What the runner logged, as "level message". */
  logged: string[];
  /** In order of their start. */
  runnerUrls: string[];
  startRunner(serveUrl: string, options?: Partial<RunnerOptions>): Promise<Runner>;
  /** An app with these functions and a runner of its own, ready. */
  startPair(
    makeFunctions: (client: Inngest) => InngestFunction.Any[],
    options?: Partial<RunnerOptions>,
  ): Promise<{ app: TestApp; runner: Runner }>;
  stop(): Promise<void>;
}

/** A database, and runners and apps on it; all are stopped together. */
export async function startStack(): Promise<Stack> {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // Dropping the database ends what is still closing.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const closers: (() => Promise<void>)[] = [];
  const logged: string[] = [];

  const stack: Stack = {
    database,
    pool,
    logged,
    runnerUrls: [],
    async startRunner(serveUrl, options) {
      const runner = await startRunner({
        pool,
        databaseUrl: database.url,
        port: 0,
        serveUrl,
        signingKey: SIGNING_KEY,
        eventKey: EVENT_KEY,
        leaseSeconds: 5,
        retryBaseSeconds: 0.02,
        stopSeconds: 2,
        log: (level, message, fields) => logged.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
        ...options,
      });
      stack.runnerUrls.push(runner.url);
      closers.push(() => runner.stop());
      return runner;
    },
    async startPair(makeFunctions, options) {
      const app = await startTestApp();
      closers.push(() => app.close());
      const runner = await stack.startRunner(app.serveUrl, options);
      app.serve(runner.url, makeFunctions);
      await runner.ready();
      return { app, runner };
    },
    async stop() {
      for (const close of closers.reverse()) await close();
      await pool.end();
      await database.drop();
    },
  };
  return stack;
}
