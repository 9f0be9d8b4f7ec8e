import type { Benchmark } from "@/bench/support/benchmark";
import { openSuite } from "@/bench/support/open-suite";
import { seededRandom } from "@/bench/support/random";
import { setStage } from "@/bench/support/stage";
import { startModelServer } from "@/e2e/support/model-server";

const FULL = { accounts: 3, usersPerProject: 4 };
const SHORT = { accounts: 1, usersPerProject: 2 };

/**
 * End users whose canary is in every field of everything that the API takes, half of them erased, several at once and while
 * they are at work: no row, file or line of the log has a word of theirs, and of the others nothing is missing.
 */
export const erase: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, {
    LOG_LEVEL: "debug",
    VIDEO_POLL_SECONDS: "1",
    WEBHOOK_RETRY_DELAYS_SECONDS: "1,2,4,8",
  });
  await openSuite(stage, model.baseUrl);
  const { runErasure } = await import("@/e2e/api/support/erasure/run-erasure");
  const { finishErasure } = await import("@/lib/services/data-rights/erase-end-user");
  const seed = run.option("seed", Date.now() % 1_000_000);
  const result = await runErasure(seededRandom(seed), {
    ...(run.isShort ? SHORT : FULL),
    ...(run.isShort && { finish: finishErasure }),
    log: stage.service.log,
  });
  const { report } = run;
  const none = { atMost: 0 };
  report.figure("end users", result.endUsers, "");
  report.figure("  of them erased", result.erased, "");
  report.figure("kinds of doings, each with the canary in every field", result.acts, "");
  report.figure("turns under way when the first was erased", result.openTurns, "");
  report.figure("rows of the erased before", result.rows, `in ${result.tables.length} tables`);
  report.figure("files of the erased before", result.files, "");
  report.figure("until the last was gone", result.secondsToFirstPass, "s");
  report.figure("until the receipts had forgotten them, too", result.seconds, "s");
  report.figure("rows left of the erased", result.left.rows, "", none);
  report.figure("files left of the erased", result.left.files, "", none);
  report.figure("lines of the log with the erased", result.left.logLines, "", none);
  report.figure("rows of the others", result.kept.rows, "");
  report.figure("files of the others", result.kept.files, "");
  for (const violation of result.violations.slice(0, 20)) report.mustHold(false, violation);
  report.mustHold(stage.service.log().length > 0, "the server wrote no log: nothing was looked at");
  report.note(`Seed ${seed}. Tables: ${result.tables.join(", ")}.`);
  if (result.untouched.length > 0) report.note(`Nothing of an end user stood in: ${result.untouched.join(", ")}.`);
};
