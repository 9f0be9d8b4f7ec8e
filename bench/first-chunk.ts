import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { median, quantile } from "@/bench/support/report";
import { setStage } from "@/bench/support/stage";
import { startStampingModel } from "@/bench/support/stamping-model";
import { startChild } from "@/bench/support/start-child";
import type { FollowedJob } from "@/bench/support/tasks/follow-jobs";

/** Long enough for the client to have its stream open. */
const FIRST_TOKEN_MS = 150;
const TOKENS = 5;
const TOKEN_MS = 20;

/**
 * How long text is on its way: from the model sending its first token (it says when, in the token) to the client having
 * the first chunk of its stream; and from the accepted call, with a model that begins at once.
 */
export const firstChunk: Benchmark = async (run) => {
  const later = { firstTokenMs: FIRST_TOKEN_MS, tokens: TOKENS, tokenMs: TOKEN_MS };
  const model = await startStampingModel(later);
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  run.onEnd(() => load.stop());
  const account = await stage.newAccount();
  const follow = (connections: number, jobs: number) =>
    load.call("followJobs", {
      origin: stage.service.url,
      apiKey: account.apiKey,
      message: "When did you begin?",
      connections,
      seconds: run.isShort ? 4 : 15,
      jobs,
    });
  await follow(20, 100);
  const alone = await follow(1, run.isShort ? 15 : 60);
  const many = await follow(20, run.isShort ? 200 : 1_000);
  reportText(run, "one at a time", alone);
  reportText(run, "20 at once", many);
  later.firstTokenMs = 0;
  const instant = await follow(1, run.isShort ? 30 : 200);
  const accepted = instant.map(({ firstChunkAt, acceptedAt }) => firstChunkAt - acceptedAt);
  run.report.figure("accepted call to first chunk, instant model, p50", median(accepted), "ms");
  run.report.figure("accepted call to first chunk, instant model, p99", quantile(accepted, 0.99), "ms");
  run.report.figure(
    "sent call to first chunk, instant model, p50",
    median(instant.map(({ firstChunkAt, sentAt }) => firstChunkAt - sentAt)),
    "ms",
  );
  for (const job of [...alone, ...many, ...instant]) {
    run.report.mustHold(
      job.isCompleted && job.isTextWhole,
      `the stream of ${job.sessionId} did not end with the text that it carried`,
    );
  }
  await stage.drain();
  await stage.checkBooks(account);
};

function reportText(run: BenchmarkRun, name: string, jobs: FollowedJob[]): void {
  const late = jobs.map(({ firstChunkAt, modelAt }) => firstChunkAt - modelAt);
  run.report.figure(`model's first token to first chunk, ${name}, p50`, median(late), "ms", { atMost: 5 });
  run.report.figure(`model's first token to first chunk, ${name}, p99`, quantile(late, 0.99), "ms", { atMost: 25 });
}
