import type { Benchmark } from "@/bench/support/benchmark";
import { setStage } from "@/bench/support/stage";
import { startChild } from "@/bench/support/start-child";
import { startModelServer } from "@/e2e/support/model-server";
import { createTestAccount } from "@/e2e/support/test-account";
import { startTestService } from "@/e2e/support/test-service";

const LIMIT_PER_MINUTE = 300;
const CONNECTIONS_EACH = 20;
const WAIT_SECONDS = 100;

/** One key's rate limit under calls at once to two server processes: none above the limit and what is refilled. */
export const limits: Benchmark = async (run) => {
  const calls = run.isShort ? 2_000 : 10_000;
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const { PORT: _port, ...shared } = stage.service.variables;
  const second = await startTestService({
    databaseUrl: stage.databaseUrl,
    modelUrl: model.baseUrl,
    settings: shared,
  });
  run.onEnd(() => second.close());
  const { apiKey } = await createTestAccount({ planId: "scale", rateLimitPerMinute: LIMIT_PER_MINUTE });
  const loads = [startChild(), startChild()];
  run.onEnd(async () => void (await Promise.all(loads.map((load) => load.stop()))));

  const startedAt = performance.now();
  const results = await Promise.all(
    [stage.service, second].map((service, index) =>
      loads[index]?.call("hammer", {
        origin: service.url,
        connections: CONNECTIONS_EACH,
        seconds: WAIT_SECONDS,
        requests: calls / 2,
        calls: [{ method: "GET", path: "/api/v1/account", headers: { "x-api-key": apiKey } }],
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const countOf = (status: number) => results.reduce((sum, result) => sum + (result?.statuses[status] ?? 0), 0);
  const answered = results.reduce((sum, result) => sum + (result?.latenciesMs.length ?? 0), 0);
  const most = LIMIT_PER_MINUTE + Math.ceil((seconds * LIMIT_PER_MINUTE) / 60);
  const above = Math.max(0, countOf(200) - most);
  for (const [index, result] of results.entries()) {
    run.report.figure(`let through by server ${index + 1}`, result?.statuses[200] ?? 0, "");
  }
  run.report.figure("let through", countOf(200), "", { atMost: most });
  run.report.figure("refused with 429", countOf(429), "");
  run.report.figure("above the limit", above, "", { atMost: 0 });
  run.report.note(
    `${answered} calls to two processes in ${seconds.toFixed(1)} s; limit ${LIMIT_PER_MINUTE} a minute, ${most} with refill.`,
  );
  run.report.mustHold(above === 0, `${above} calls above the limit were let through`);
  run.report.mustHold(countOf(200) >= LIMIT_PER_MINUTE, "fewer calls than the limit were let through");
  run.report.mustHold(countOf(200) + countOf(429) === answered, "some calls were answered otherwise, or not at all");
};
