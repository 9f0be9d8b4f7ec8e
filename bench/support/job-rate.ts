import type { BenchmarkRun } from "@/bench/support/benchmark";
import { cpuMs } from "@/bench/support/cpu-time";
import type { BenchStage } from "@/bench/support/stage";
import type { BenchChild } from "@/bench/support/start-child";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const CONNECTIONS = 20;

/** Jobs from the first accepted call to the end of the last one. */
export interface JobRate {
  perSecond: number;
  /** The server's processor, all threads, for each. */
  cpuPerJobMs: number;
}

/** Has 20 connections start jobs with an instant answer and waits until all have ended: so many per second. */
export async function measureJobRate(
  run: BenchmarkRun,
  stage: BenchStage,
  load: BenchChild,
  account: TestAccount,
): Promise<JobRate> {
  const cpuBefore = cpuMs(stage.service.pid()) ?? 0;
  const { rows: before } = await db().query<{ at: Date }>("SELECT clock_timestamp() AS at");
  const result = await load.call("hammer", {
    origin: stage.service.url,
    connections: CONNECTIONS,
    seconds: 10,
    requests: run.isShort ? 200 : 1_000,
    calls: [chatCall(account, "Answer in a word. [[answer:Done.]]")],
  });
  const accepted = result.statuses[202] ?? 0;
  run.report.mustHold(
    accepted === result.latenciesMs.length,
    `not every call was accepted: ${JSON.stringify(result.statuses)}`,
  );
  const open = await stage.drain();
  run.report.mustHold(open === 0, `${open} of ${accepted} accepted jobs had not ended after a minute`);
  const { rows } = await db().query<{ jobs: number; seconds: number }>(
    `SELECT count(*)::int AS jobs, extract(epoch FROM max(ended_at) - min(created_at))::float AS seconds
     FROM turns WHERE created_at >= $1 AND status = 'completed'`,
    [before[0]?.at],
  );
  run.report.mustHold(rows[0]?.jobs === accepted, `${accepted} jobs were accepted, ${rows[0]?.jobs} completed`);
  const cpuPerJobMs = ((cpuMs(stage.service.pid()) ?? 0) - cpuBefore) / accepted;
  return { perSecond: (rows[0]?.jobs ?? 0) / (rows[0]?.seconds || Number.POSITIVE_INFINITY), cpuPerJobMs };
}

function chatCall({ apiKey }: TestAccount, message: string) {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return { method: "POST" as const, path: "/api/v1/chat", headers, body: JSON.stringify({ message }) };
}
