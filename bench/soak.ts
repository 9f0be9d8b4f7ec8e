import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { residentKb, settleMemory } from "@/bench/support/memory";
import { median } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type BenchChild, startChild } from "@/bench/support/start-child";
import { runMixedJobs } from "@/e2e/support/mixed-jobs";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";

const ACCOUNTS = 4;
const MIXED_JOBS = 60;
const UPLOADS = { waves: 5, count: 8, bytes: 2.5 * 1024 * 1024 };
/** The heap finds its size in the first minute. Where two megabytes of each file stayed for a while, it was 2.1. */
const MEMORY_GOAL = 1.5;
const SETTLE_MS = 5_000;

/**
 * The same mixed work again and again: chats, files, batches, retries, failures, cancels, and files of a few megabytes.
 * Whatever a process keeps for good of any of them shows as memory that goes on growing.
 */
export const soak: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  run.onEnd(() => load.stop());
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => stage.newAccount()));
  const sizesMb: number[] = [];
  const rounds = run.option("rounds", run.isShort ? 6 : 24);
  for (let round = 0; round < rounds; round++) sizesMb.push(await workOnce(run, stage, load, accounts));
  const [first = 0] = sizesMb;
  const last = median(sizesMb.slice(-Math.ceil(rounds / 3)));
  const { report } = run;
  report.figure("mixed jobs", rounds * MIXED_JOBS, "");
  report.figure("files of 2.5 MB", rounds * UPLOADS.waves * UPLOADS.count, "");
  report.figure("memory after the first round", first, "MB");
  report.figure("memory, last third", last, "MB");
  report.figure("last third / first round", last / first, "×", { atMost: MEMORY_GOAL });
  for (const account of accounts) await stage.checkBooks(account);
};

/** @returns the server's memory once the work has ended, in megabytes */
async function workOnce(
  run: BenchmarkRun,
  stage: BenchStage,
  load: BenchChild,
  accounts: TestAccount[],
): Promise<number> {
  const apiKeys = accounts.map(({ apiKey }) => apiKey);
  await runMixedJobs(stage.service.url, apiKeys, MIXED_JOBS);
  const { count, bytes } = UPLOADS;
  for (let wave = 0; wave < UPLOADS.waves; wave++) {
    const url = `${stage.service.url}/api/v1/process`;
    const { statuses } = await load.call("sendUploads", { url, apiKey: apiKeys[0] ?? "", bytes, count });
    run.report.mustHold(
      statuses.every((status) => status === 202),
      `uploads were answered ${statuses}`,
    );
  }
  run.report.mustHold((await stage.drain()) === 0, "some jobs had not ended after a minute");
  const pid = stage.service.pid();
  await settleMemory(pid, SETTLE_MS);
  return (residentKb(pid) ?? 0) / 1024;
}
