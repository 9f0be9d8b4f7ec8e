import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { measureJobRate } from "@/bench/support/job-rate";
import { median, quantile } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type BenchChild, startChild } from "@/bench/support/start-child";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const CONNECTIONS = 20;
const MODEL_MS = 50;
/** As models answer: what a client sees when the 20 places are not all under way in the service at once. */
const SLOWER_MODEL_MS = 300;

/**
 * Whole jobs: accepted, model called, answer stored, credits settled, events out. The rate with a model that answers at
 * once; the latency, as the client sees it over call and stream, beyond that of a model that takes 50 ms, and of one that
 * takes 300 ms.
 */
export const jobs: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  run.onEnd(() => load.stop());
  const account = await stage.newAccount();
  const rates: { perSecond: number; cpuPerJobMs: number }[] = [];
  const rounds = run.isShort ? 1 : 3;
  // The first one warms up.
  for (let round = 0; round <= rounds; round++) {
    const rate = await measureJobRate(run, stage, load, account);
    if (round > 0) rates.push(rate);
  }
  const goal = { atLeast: 3 * N8N_PER_SECOND };
  run.report.figure(
    "jobs finished, accepted by 20 connections",
    median(rates.map((rate) => rate.perSecond)),
    "/s",
    goal,
  );
  run.report.figure("  server's processor for each", median(rates.map((rate) => rate.cpuPerJobMs)), "ms");
  const place = { run, stage, load, account, modelUrl: model.baseUrl };
  const own = await measureLatency(place, MODEL_MS);
  const { added } = own;
  run.report.figure("the model's own time, asked directly, p50", own.modelMs, "ms");
  run.report.figure("added latency at 20 at once, p50", median(added), "ms", { atMost: 25 });
  run.report.figure("added latency at 20 at once, p99", quantile(added, 0.99), "ms", { atMost: 150 });
  run.report.figure("jobs per second at 20 at once", own.perSecond, "/s");
  run.report.figure("added, from row to settlement alone, p50", median(own.addedInServer), "ms");
  const slower = await measureLatency(place, SLOWER_MODEL_MS);
  run.report.figure(`added at a model of ${SLOWER_MODEL_MS} ms, p50`, median(slower.added), "ms", { atMost: 25 });
  run.report.figure(`added at a model of ${SLOWER_MODEL_MS} ms, p99`, quantile(slower.added, 0.99), "ms", {
    atMost: 150,
  });
  await stage.checkBooks(account);
};

/** Measured on a machine like ours, with its own Postgres. */
const N8N_PER_SECOND = 132;

interface Place {
  run: BenchmarkRun;
  stage: BenchStage;
  load: BenchChild;
  account: TestAccount;
  modelUrl: string;
}

/** In milliseconds. */
interface Latency {
  /** The model's own, asked directly. */
  modelMs: number;
  /** Beyond it, as clients saw them. */
  added: number[];
  /** The same from the accepted row to the settled one. */
  addedInServer: number[];
  perSecond: number;
}

async function measureLatency({ run, stage, load, account, modelUrl }: Place, modelMs: number): Promise<Latency> {
  const order = `[[first:${modelMs}ms]]`;
  const message = `Answer in a word, after a while. ${order} [[answer:Done.]]`;
  const bounds = { connections: CONNECTIONS, seconds: run.isShort ? 4 : 15, jobs: run.isShort ? 200 : 1_500 };
  const follow = { origin: stage.service.url, apiKey: account.apiKey, message, ...bounds };
  const direct = await load.call("hammer", {
    origin: new URL(modelUrl).origin,
    connections: CONNECTIONS,
    seconds: run.isShort ? 2 : 5,
    requests: 1_000,
    calls: [
      {
        method: "POST",
        path: "/v1/chat/completions",
        headers: { "content-type": "application/json" },
        body: modelBody(message),
      },
    ],
  });
  const followed = await load.call("followJobs", follow);
  run.report.mustHold(
    followed.every(({ isCompleted, isTextWhole }) => isCompleted && isTextWhole),
    "a stream did not end with the text that it carried",
  );
  const own = median(direct.latenciesMs);
  const inServer = await settledLatencies(account, order);
  return {
    modelMs: own,
    added: followed.map(({ sentAt, endedAt }) => endedAt - sentAt - own),
    addedInServer: inServer.map((ms) => ms - own),
    perSecond: followed.length / spanSeconds(followed),
  };
}

/** From the accepted row to the settled one, by the database's clock, of jobs whose message has these words. */
async function settledLatencies({ accountId }: TestAccount, words: string): Promise<number[]> {
  const { rows } = await db().query<{ ms: number }>(
    `SELECT extract(epoch FROM ended_at - created_at)::float * 1000 AS ms FROM turns
     WHERE account_id = $1 AND strpos(input, $2) > 0 AND status = 'completed'`,
    [accountId, words],
  );
  return rows.map(({ ms }) => ms);
}

function modelBody(content: string): string {
  return JSON.stringify({ model: "gpt-4.1-mini", stream: true, messages: [{ role: "user", content }] });
}

function spanSeconds(followed: { sentAt: number; endedAt: number }[]): number {
  const first = Math.min(...followed.map(({ sentAt }) => sentAt));
  return (Math.max(...followed.map(({ endedAt }) => endedAt)) - first) / 1_000;
}
