import type { Benchmark } from "@/bench/support/benchmark";
import { cpuMs } from "@/bench/support/cpu-time";
import { median, quantile } from "@/bench/support/report";
import { setStage } from "@/bench/support/stage";
import { startChild } from "@/bench/support/start-child";
import { startModelServer } from "@/e2e/support/model-server";
import { db } from "@/lib/db/pool";

const CONNECTIONS = 20;
const SESSIONS = 40;

/** Polling: `GET /chat/:id` of finished sessions, beside a bare JSON server. */
export const poll: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  const load = startChild();
  const floor = startChild();
  run.onEnd(async () => void (await Promise.all([load.stop(), floor.stop()])));
  const account = await stage.newAccount();
  const headers = { "x-api-key": account.apiKey, "content-type": "application/json" };
  const hammer = { connections: CONNECTIONS, seconds: run.isShort ? 2 : 5, requests: 30_000 };
  const body = JSON.stringify({ message: "Say something of usual length. [[size:600]]" });
  await load.call("hammer", {
    ...hammer,
    origin: stage.service.url,
    requests: SESSIONS,
    calls: [{ method: "POST", path: "/api/v1/chat", headers, body }],
  });
  run.report.mustHold((await stage.drain()) === 0, "the sessions to poll were not answered");
  const { rows } = await db().query<{ id: string }>("SELECT id FROM sessions WHERE account_id = $1", [
    account.accountId,
  ]);
  const calls = rows.map(({ id }) => ({ method: "GET" as const, path: `/api/v1/chat/${id}`, headers }));
  const echo = [{ method: "POST" as const, path: "/", headers, body }];
  const echoUrl = await floor.call("serveEcho");
  const rates: { poll: number; p99: number; echo: number; cpuMs: number }[] = [];
  // The first one warms up.
  for (let round = 0; round <= (run.isShort ? 1 : 5); round++) {
    const bare = await load.call("hammer", { ...hammer, origin: echoUrl, seconds: 1, calls: echo });
    const cpuBefore = cpuMs(stage.service.pid()) ?? 0;
    const polled = await load.call("hammer", {
      ...hammer,
      origin: stage.service.url,
      calls,
      expect: '"status":"completed"',
    });
    const cpuEachMs = ((cpuMs(stage.service.pid()) ?? 0) - cpuBefore) / polled.latenciesMs.length;
    const isRight = polled.statuses[200] === polled.latenciesMs.length && polled.wrong === 0;
    run.report.mustHold(
      isRight,
      `answers that are not the session: ${JSON.stringify(polled.statuses)}, ${polled.wrong} wrong`,
    );
    const p99 = quantile(polled.latenciesMs, 0.99);
    if (round > 0) rates.push({ poll: polled.perSecond, p99, echo: bare.perSecond, cpuMs: cpuEachMs });
  }
  run.report.figure("GET /chat/:id", median(rates.map((rate) => rate.poll)), "/s", { atLeast: 3_000 });
  run.report.figure("GET /chat/:id, p99", median(rates.map((rate) => rate.p99)), "ms", { atMost: 20 });
  run.report.figure("  server's processor for each", median(rates.map((rate) => rate.cpuMs)), "ms");
  run.report.figure("bare JSON server", median(rates.map((rate) => rate.echo)), "/s");
};
