import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { stampMs } from "@/bench/support/clock";
import { residentKb, settleMemory } from "@/bench/support/memory";
import { quantile } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type StampingModel, startStampingModel } from "@/bench/support/stamping-model";
import { startChild } from "@/bench/support/start-child";
import { startHeldSessions } from "@/bench/support/start-held-sessions";
import type { TestAccount } from "@/e2e/support/test-account";

const STREAMS = 2_000;
const SHORT_STREAMS = 500;
const WARM_UP_STREAMS = 200;
/** Enough for the young generation of the heap to have its full size, as in a server that has been running. */
const WARM_UP_CALLS = 5_000;
const WARM_UP_SECONDS = 60;
const SETTLE_MS = 8_000;

/**
 * Streams that wait for an answer, spread over 20 sessions: the memory of each in the server, and the time from the
 * model's first token until every one of them has its first chunk.
 */
export const streams: Benchmark = async (run) => {
  const model = await startStampingModel({ firstTokenMs: "held", tokens: 3, tokenMs: 50 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, { MODEL_IDLE_TIMEOUT_SECONDS: "120" });
  const account = await stage.newAccount();
  await openAndRelease(run, stage, account, model, WARM_UP_STREAMS);
  await fillYoungGeneration(run, stage, account);
  await settleMemory(stage.service.pid(), SETTLE_MS);
  const wanted = run.isShort ? SHORT_STREAMS : STREAMS;
  const { opened, refusal, kbEach, spreadMs } = await openAndRelease(run, stage, account, model, wanted);
  if (opened < wanted) run.report.note(`Only ${opened} of ${wanted} streams could be opened here: ${refusal}`);
  run.report.figure("idle streams", opened, "");
  run.report.figure("memory of each", kbEach, "kB", { atMost: 20 });
  run.report.figure("until all have the first chunk", Math.max(...spreadMs), "ms", { atMost: 1_000 });
  run.report.figure("until half of them have it", quantile(spreadMs, 0.5), "ms");
  await stage.checkBooks(account);
};

/** Ordinary calls, none of which leaves anything behind. */
async function fillYoungGeneration(run: BenchmarkRun, stage: BenchStage, { apiKey }: TestAccount): Promise<void> {
  const load = startChild();
  try {
    const { statuses } = await load.call("hammer", {
      origin: stage.service.url,
      connections: 20,
      seconds: WARM_UP_SECONDS,
      requests: WARM_UP_CALLS,
      calls: [{ method: "GET", path: "/api/v1/account", headers: { "x-api-key": apiKey } }],
    });
    run.report.mustHold(statuses[200] === WARM_UP_CALLS, `Calls before the streams got ${JSON.stringify(statuses)}`);
  } finally {
    await load.stop();
  }
}

async function openAndRelease(
  run: BenchmarkRun,
  stage: BenchStage,
  account: TestAccount,
  model: StampingModel,
  count: number,
) {
  const load = startChild();
  try {
    const sessionIds = await startHeldSessions(stage, account, model);
    const pid = stage.service.pid();
    const before = residentKb(pid);
    const { opened, refusal } = await load.call("openStreams", {
      origin: stage.service.url,
      apiKey: account.apiKey,
      sessionIds,
      count,
    });
    await delay(run.isShort ? 1_000 : 3_000);
    const after = residentKb(pid);
    if (before === null || after === null) run.report.note("This system does not tell the memory of a process.");
    const releasedAt = stampMs();
    const ending = load.call("awaitStreams");
    model.open();
    const { firstChunkAt, whole } = await ending;
    run.report.mustHold(firstChunkAt.length === opened, `${firstChunkAt.length} of ${opened} streams got a chunk`);
    run.report.mustHold(whole === opened, `${whole} of ${opened} streams ended with the text that they carried`);
    await stage.drain();
    return {
      opened,
      refusal,
      kbEach: ((after ?? 0) - (before ?? 0)) / Math.max(1, opened),
      spreadMs: firstChunkAt.map((at) => at - releasedAt),
    };
  } finally {
    await load.stop();
  }
}
