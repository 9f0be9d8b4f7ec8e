import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { settleMemory, watchMemory } from "@/bench/support/memory";
import { median } from "@/bench/support/report";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { type BenchChild, startChild } from "@/bench/support/start-child";
import type { SentUploads } from "@/bench/support/tasks/send-uploads";
import { startModelServer } from "@/e2e/support/model-server";
import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";

const MB = 1024 * 1024;
const GROWTH_GOAL_MB = 64;
const SETTLE_MS = 5_000;

/**
 * A large file: how fast against a bare server that pipes the same request to the same disk, and how much the server's
 * memory grows, with one and with four at once, until the jobs have ended.
 */
export const upload: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  const floor = startChild();
  run.onEnd(async () => void (await Promise.all([load.stop(), floor.stop()])));
  // On the disk of the service's own files.
  const folder = await mkdtemp(join(stage.service.dataDir, "pipe-"));
  run.onEnd(() => rm(folder, { recursive: true, force: true }));
  const pipeUrl = await floor.call("servePipe", folder);
  const account = await stage.newAccount();
  const sizeMb = run.isShort ? 100 : 500;
  const send = (count: number, mb: number) => uploadToService(run, stage, load, account, { count, bytes: mb * MB });
  await send(1, 20);

  const rounds: { pipe: number; service: number; grownMb: number }[] = [];
  for (let round = 0; round < (run.isShort ? 1 : 3); round++) {
    const pipe = await load.call("sendUploads", { url: pipeUrl, apiKey: account.apiKey, bytes: sizeMb * MB, count: 1 });
    const { sent, grownMb } = await send(1, sizeMb);
    rounds.push({ pipe: sizeMb / pipe.seconds, service: sizeMb / sent.seconds, grownMb });
  }
  const four = await send(4, sizeMb);
  const { report } = run;
  report.figure(`raw pipe to disk, ${sizeMb} MB`, median(rounds.map(({ pipe }) => pipe)), "MB/s");
  report.figure(`POST /process, ${sizeMb} MB`, median(rounds.map(({ service }) => service)), "MB/s");
  report.figure("share of the raw pipe", median(rounds.map(({ pipe, service }) => service / pipe)), "×", {
    atLeast: 0.9,
  });
  report.figure("memory grows, one at a time", Math.max(...rounds.map(({ grownMb }) => grownMb)), "MB", {
    atMost: GROWTH_GOAL_MB,
  });
  report.figure("memory grows, four at once", four.grownMb, "MB", { atMost: GROWTH_GOAL_MB });
  report.figure("POST /process, four at once", (4 * sizeMb) / four.sent.seconds, "MB/s");
  await stage.checkBooks(account);
};

async function uploadToService(
  run: BenchmarkRun,
  stage: BenchStage,
  load: BenchChild,
  account: TestAccount,
  { count, bytes }: { count: number; bytes: number },
): Promise<{ sent: SentUploads; grownMb: number }> {
  const pid = stage.service.pid();
  await settleMemory(pid, SETTLE_MS);
  const memory = watchMemory(pid);
  const url = `${stage.service.url}/api/v1/process`;
  const sent = await load.call("sendUploads", { url, apiKey: account.apiKey, bytes, count });
  const open = await stage.drain();
  const grownMb = memory.grownMb();
  memory.stop();
  run.report.mustHold(
    sent.statuses.every((status) => status === 202),
    `uploads were answered ${sent.statuses}: ${sent.bodies[0]}`,
  );
  run.report.mustHold(open === 0, "the job of an upload did not end within a minute");
  const sessionIds = sent.bodies.map((body) => (JSON.parse(body) as { sessionId?: string }).sessionId);
  const { rows } = await db().query<{ count: number }>(
    "SELECT count(*)::int FROM stored_files WHERE session_id = ANY($1) AND size = $2 AND sha256 = $3",
    [sessionIds, bytes, sent.sha256],
  );
  run.report.mustHold(rows[0]?.count === count, `${rows[0]?.count} of ${count} files are stored as they were sent`);
  return { sent, grownMb };
}
