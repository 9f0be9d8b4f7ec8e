import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { fillHistory } from "@/bench/support/growth/fill-history";
import { median } from "@/bench/support/report";
import { startChild } from "@/bench/support/start-child";
import type { LookTimes } from "@/bench/support/tasks/time-looks";
import { startTestCluster } from "@/e2e/support/test-cluster";
import { createTestDatabase } from "@/e2e/support/test-database";

const SMALL = { sessions: 1_000, calls: 5_000 };
const LARGE = { sessions: 1_000_000, calls: 5_000_000 };
const SHORT = { sessions: 20_000, calls: 100_000 };
const ROUNDS = 5;
const GOAL = { atMost: 1.5 };

/**
 * What polls, lists, usage and logs read, in an account with a long past against one with a short one: two databases of one
 * Postgres, looked at in turn by the services themselves, without the HTTP around them that costs the same for both.
 */
export const growth: Benchmark = async (run) => {
  const wanted = run.isShort ? SHORT : LARGE;
  const large = { sessions: run.option("sessions", wanted.sessions), calls: run.option("calls", wanted.calls) };
  const cluster = await startTestCluster();
  run.onEnd(() => cluster.stop());
  process.env.TEST_CLUSTER_URL = cluster.adminUrl;
  process.env.TEST_CLUSTER_TEMPLATE = cluster.templateName;
  const sides = [];
  for (const history of [SMALL, large]) {
    const { url } = await createTestDatabase();
    console.log(
      `\n${history.sessions.toLocaleString("en-US")} sessions, ${history.calls.toLocaleString("en-US")} calls:`,
    );
    await fillHistory(url, history, (line) => console.log(`  ${line}`));
    const child = startChild();
    run.onEnd(() => child.stop());
    sides.push({ url, child, rounds: [] as LookTimes[] });
  }
  // The first one warms up both sides.
  for (let round = 0; round <= run.option("rounds", ROUNDS); round++) {
    for (const side of sides) {
      const times = await side.child.call("timeLooks", side.url);
      if (round > 0) side.rounds.push(times);
    }
  }
  const [before, after] = sides.map(({ rounds }) => rounds) as [LookTimes[], LookTimes[]];
  reportLooks(
    run,
    before.map(({ goal }) => goal),
    after.map(({ goal }) => goal),
    GOAL,
  );
  reportLooks(
    run,
    before.map(({ sum }) => sum),
    after.map(({ sum }) => sum),
  );
};

type Times = Record<string, number>;

/** The time in the long past over that in the short one, with both. */
function reportLooks({ report }: BenchmarkRun, before: Times[], after: Times[], goal?: { atMost: number }): void {
  for (const name of Object.keys(before[0] ?? {})) {
    const [small, large] = [before, after].map((rounds) => median(rounds.map((times) => times[name] ?? 0))) as [
      number,
      number,
    ];
    report.figure(`${name} (${small.toFixed(2)} → ${large.toFixed(2)} ms)`, large / small, "×", goal);
  }
}
