import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { residentKb } from "@/bench/support/memory";
import { quantile } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type StampingModel, startStampingModel } from "@/bench/support/stamping-model";
import { startChild } from "@/bench/support/start-child";
import { startHeldSessions } from "@/bench/support/start-held-sessions";
import type { HammerResult } from "@/bench/support/tasks/hammer";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const BACK_WITHIN_MS = 60_000;
const HEALTH_GOAL_MS = 200;
const MEMORY_GOAL = 1.2;

interface Crowd {
  streams: number;
  bodies: number;
}

const FULL: Crowd = { streams: 1_000, bodies: 500 };
const SHORT: Crowd = { streams: 200, bodies: 100 };

/**
 * Clients that take long: streams that wait for an answer, and uploads of which a few bytes come now and then, all broken
 * off in the end. Meanwhile others are served as before, and afterwards the memory is given back and nothing is left.
 */
export const slowClients: Benchmark = async (run) => {
  const model = await startStampingModel({ firstTokenMs: "held", tokens: 3, tokenMs: 50 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, { MODEL_IDLE_TIMEOUT_SECONDS: "300" });
  const account = await stage.newAccount();
  // What a first crowd of the same size makes the process keep for good is no leak.
  const crowd = run.isShort ? SHORT : FULL;
  await serveCrowd(run, stage, account, model, crowd);
  await backTo(stage, 0);
  const calm = await askHealth(run, stage);
  const before = residentKb(stage.service.pid()) ?? 0;
  const { health, opened, kept, peakKb } = await serveCrowd(run, stage, account, model, crowd);
  const { kb, seconds } = await backTo(stage, before * MEMORY_GOAL);
  const { report } = run;
  report.figure("streams open", opened, "");
  report.figure("slow bodies under way", kept, "");
  report.figure("GET /health before, p95", quantile(calm.latenciesMs, 0.95), "ms");
  report.figure("GET /health meanwhile, p95", quantile(health.latenciesMs, 0.95), "ms", { atMost: HEALTH_GOAL_MS });
  report.figure("memory before", before / 1024, "MB");
  report.figure("memory meanwhile", peakKb / 1024, "MB");
  report.figure("memory after / before", kb / before, "×", { atMost: MEMORY_GOAL });
  report.figure("until it was back", seconds, "s", { atMost: BACK_WITHIN_MS / 1_000 });
  report.mustHold(
    kept === crowd.bodies,
    `${crowd.bodies - kept} of ${crowd.bodies} slow bodies were cut off by the server`,
  );
  for (const result of [calm, health]) {
    report.mustHold(
      Object.keys(result.statuses).join() === "200",
      `/health answered ${JSON.stringify(result.statuses)}`,
    );
  }
  await stage.checkBooks(account);
};

async function serveCrowd(
  run: BenchmarkRun,
  stage: BenchStage,
  account: TestAccount,
  model: StampingModel,
  { streams, bodies }: Crowd,
) {
  const load = startChild();
  try {
    const target = { origin: stage.service.url, apiKey: account.apiKey };
    const sessionIds = await startHeldSessions(stage, account, model);
    const { opened, refusal } = await load.call("openStreams", { ...target, sessionIds, count: streams });
    if (opened < streams) run.report.note(`Only ${opened} of ${streams} streams could be opened here: ${refusal}`);
    await load.call("openSlowBodies", { ...target, count: bodies, everyMs: 1_000 });
    const health = await askHealth(run, stage);
    const peakKb = residentKb(stage.service.pid()) ?? 0;
    const kept = await load.call("breakSlowBodies");
    const ending = load.call("awaitStreams");
    model.open();
    const { whole } = await ending;
    run.report.mustHold(whole === opened, `${whole} of ${opened} streams ended with the text that they carried`);
    await stage.drain();
    await checkLeftovers(run);
    return { health, opened, kept, peakKb };
  } finally {
    await load.stop();
  }
}

/** Asked by a process of its own, one call after the other on two connections. */
async function askHealth(run: BenchmarkRun, stage: BenchStage): Promise<HammerResult> {
  const load = startChild();
  try {
    return await load.call("hammer", {
      origin: stage.service.url,
      connections: 2,
      seconds: run.isShort ? 4 : 15,
      requests: 3_000,
      calls: [{ method: "GET", path: "/api/v1/health", headers: {} }],
    });
  } finally {
    await load.stop();
  }
}

/** Bodies that broke off leave no upload behind, as soon as the server has noticed. */
async function checkLeftovers(run: BenchmarkRun): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  for (let waitedMs = 0; left > 0 && waitedMs < BACK_WITHIN_MS; waitedMs += 200) {
    const { rows } = await db().query<{ left: number }>("SELECT count(*)::int AS left FROM pending_uploads");
    left = rows[0]?.left ?? 0;
    if (left > 0) await delay(200);
  }
  run.report.mustHold(left === 0, `${left} uploads that broke off are still kept`);
}

/** Waits until the server's memory is at most so much, or for a minute; how much it is then, and how long it took. */
async function backTo({ service }: BenchStage, wantedKb: number): Promise<{ kb: number; seconds: number }> {
  const startedAt = performance.now();
  const limitMs = wantedKb === 0 ? 10_000 : BACK_WITHIN_MS;
  for (;;) {
    const kb = residentKb(service.pid()) ?? 0;
    const ms = performance.now() - startedAt;
    if (kb <= wantedKb || ms > limitMs) return { kb, seconds: ms / 1_000 };
    await delay(250);
  }
}
