import type { BenchmarkRun } from "@/bench/support/benchmark";
import { findViolations } from "@/bench/support/books-rules";
import { type Books, readBooks } from "@/e2e/support/books";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTestCertificates, type TestCertificates } from "@/e2e/support/test-certificates";
import { startTestCluster } from "@/e2e/support/test-cluster";
import { createTestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { closePools, db } from "@/lib/db/pool";
import { buildIfChanged } from "@/scripts/support/build-app";

/** What is measured: the built server as `npm start` runs it, on a Postgres whose commits wait for the disk. */
export interface BenchStage {
  service: TestService;
  databaseUrl: string;
  certificates: TestCertificates;
  /** An account whose plan, credits and rate limit never stand in the way. */
  newAccount(): Promise<TestAccount>;
  /** A further, empty database beside it that no server works on. */
  newDatabase(): Promise<string>;
  /** Waits until no turn is open; returns how many still are after the time. */
  drain(timeoutMs?: number): Promise<number>;
  /** What is not right with an account goes into the report. */
  checkBooks(account: TestAccount): Promise<Books>;
}

const CREDITS = 10_000_000;
const REQUESTS_PER_MINUTE = 1_000_000;
const DRAIN_TIMEOUT_MS = 60_000;
const DRAIN_POLL_MS = 50;
/** As `.env.example` has them: the stage's own defaults are quick ones, for tests of faults. */
const PRODUCTION_SETTINGS = { MODEL_IDLE_TIMEOUT_SECONDS: "60", RUNNER_LEASE_SECONDS: "15" };

/** Sets the stage; everything on it ends with the run. */
export async function setStage(
  run: BenchmarkRun,
  modelUrl: string,
  settings: Record<string, string> = {},
): Promise<BenchStage> {
  await buildIfChanged();
  const cluster = await startTestCluster({ isDurable: true });
  run.onEnd(() => cluster.stop());
  process.env.TEST_CLUSTER_URL = cluster.adminUrl;
  process.env.TEST_CLUSTER_TEMPLATE = cluster.templateName;
  const { url: databaseUrl } = await createTestDatabase();
  const certificates = createTestCertificates();
  const profiling = run.profileDir ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${run.profileDir}` } : undefined;
  const service = await startTestService({
    databaseUrl,
    modelUrl,
    caPem: certificates.caPem,
    settings: { ...PRODUCTION_SETTINGS, ...profiling, ...settings },
  });
  run.onEnd(() => service.close());
  // Accounts are made by the operator's use cases in this process.
  Object.assign(process.env, service.variables, { LOG_LEVEL: "silent", NODE_ENV: "production" });
  run.onEnd(closePools);
  return {
    service,
    databaseUrl,
    certificates,
    newAccount: () => createTestAccount({ planId: "scale", credits: CREDITS, rateLimitPerMinute: REQUESTS_PER_MINUTE }),
    newDatabase: async () => (await createTestDatabase()).url,
    drain,
    async checkBooks({ accountId }) {
      const books = await readBooks(databaseUrl, accountId);
      for (const violation of findViolations(books)) run.report.mustHold(false, violation);
      return books;
    },
  };
}

async function drain(timeoutMs = DRAIN_TIMEOUT_MS): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { rows } = await db().query<{ open: number }>(
      "SELECT count(*)::int AS open FROM turns WHERE status IN ('queued', 'running')",
    );
    const open = rows[0]?.open ?? 0;
    if (open === 0 || Date.now() > deadline) return open;
    await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
  }
}
