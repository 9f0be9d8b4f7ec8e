import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { setStage } from "@/bench/support/stage";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { startModelServer } from "@/e2e/support/model-server";
import type { ModelOrders } from "@/e2e/support/model-server-orders";
import { db } from "@/lib/db/pool";

const JOBS = 120;
const SHORT_JOBS = 40;
const CALLS_A_SECOND = 2;
/** What a provider that was left alone for a while lets through at once. */
const CALLS_AT_ONCE = 10;
const DRAIN_MS = 600_000;
/** As by itself. With less, and more jobs, it is shown that jobs wait on for as long as the provider takes others. */
const PATIENCE_SECONDS = 1_800;

/**
 * A provider that lets through two calls a second and refuses the others, and more files than it takes in half a minute: each is
 * answered in the end (docs/decisions/0046), beside as many chats, for which somebody may wait.
 */
export const providerLimit: Benchmark = async (run) => {
  const provider = limitedProvider();
  const model = await startModelServer({ behaviour: provider.answer });
  run.onEnd(() => model.stop());
  const patience = run.option("patience", PATIENCE_SECONDS);
  const stage = await setStage(run, model.baseUrl, {
    MODEL_RETRY_DELAYS_SECONDS: "1,5,20",
    MODEL_LIMIT_PATIENCE_SECONDS: String(patience),
  });
  const account = await stage.newAccount();
  const api = apiClient(stage.service.url, account.apiKey);
  const jobs = run.option("jobs", run.isShort ? SHORT_JOBS : JOBS);
  const leastSeconds = Math.max(0, jobs - CALLS_AT_ONCE) / CALLS_A_SECOND;

  for (const kind of ["chat", "process"] as const) {
    const refusedBefore = provider.refused();
    const startedAt = performance.now();
    await startJobs(run, api, kind, jobs);
    const open = await stage.drain(DRAIN_MS);
    const seconds = (performance.now() - startedAt) / 1_000;
    const completed = await countCompleted(kind);
    const name = kind === "chat" ? "chats" : "files";
    run.report.figure(
      `${name} answered`,
      (100 * completed) / jobs,
      "%",
      kind === "process" ? { atLeast: 100 } : undefined,
    );
    run.report.figure(`all ${name} ended after`, seconds, "s");
    run.report.figure(`refused for each of the ${name}`, (provider.refused() - refusedBefore) / jobs, "calls");
    run.report.mustHold(open === 0, `${open} turns had not ended`);
    if (kind === "process")
      run.report.figure("beside what the provider lets through at best", seconds / leastSeconds, "×");
  }
  await stage.checkBooks(account);
  run.report.note(
    `${jobs} of each, patience ${patience} s; the provider lets ${CALLS_A_SECOND} calls a second through, ${CALLS_AT_ONCE} at once.`,
  );
};

/** A bucket of calls that fills up again, as providers count. */
function limitedProvider(): { answer: () => ModelOrders; refused: () => number } {
  let [left, atMs, refused] = [CALLS_AT_ONCE, performance.now(), 0];
  return {
    refused: () => refused,
    answer: () => {
      const nowMs = performance.now();
      left = Math.min(CALLS_AT_ONCE, left + ((nowMs - atMs) / 1_000) * CALLS_A_SECOND);
      atMs = nowMs;
      if (left >= 1) {
        left -= 1;
        return { answer: "Read." };
      }
      refused += 1;
      return { fault: { kind: "status", status: 429, retryAfter: "1" } };
    },
  };
}

async function startJobs(run: BenchmarkRun, api: ApiClient, kind: "chat" | "process", jobs: number): Promise<void> {
  for (let job = 0; job < jobs; job++) {
    const text = `Job ${kind} ${job}`;
    const { status } = await (kind === "chat"
      ? api.post("/chat", { message: text })
      : api.upload("/process", { file: new File([text], "note.txt", { type: "text/plain" }), prompt: "Read it." }));
    run.report.mustHold(status === 202, `POST /${kind} answered ${status}`);
  }
}

async function countCompleted(kind: "chat" | "process"): Promise<number> {
  const { rows } = await db().query<{ n: number }>(
    `SELECT count(*)::int AS n FROM turns t JOIN sessions s ON s.id = t.session_id
     WHERE s.kind = $1 AND t.status = 'completed'`,
    [kind],
  );
  return rows[0]?.n ?? 0;
}
