import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startProcess, type TestProcess } from "@/inngest/embedded/testing/start-process";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { makeClient, until } from "@/inngest/embedded/testing/test-app";
import { freePort } from "@/scripts/support/free-port";

/** kill -9 of each part in the middle of a step. The functions have no retries: a death is not a failed attempt. */

let stack: Stack;
let processes: TestProcess<unknown>[];
let appPort: number;
let runnerPort: number;

beforeEach(async () => {
  stack = await startStack();
  await stack.pool.query("CREATE TABLE effects (id serial, run text, step text, pid int)");
  processes = [];
  [appPort, runnerPort] = [await freePort(), await freePort()];
});
afterEach(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  await stack.stop();
});

const runnerUrl = () => `http://127.0.0.1:${runnerPort}`;
const started = async <T>(starting: Promise<TestProcess<T>>) => {
  const process = await starting;
  processes.push(process);
  return process;
};
const startApp = () =>
  started(startProcess<{ serveUrl: string }>("run-app.ts", [stack.database.url, runnerUrl(), `${appPort}`]));
const startRunner = (port = runnerPort) =>
  started(
    startProcess<{ url: string }>("run-runner.ts", [
      stack.database.url,
      `http://127.0.0.1:${appPort}/api/inngest`,
      `${port}`,
    ]),
  );
const effects = async (run: string) =>
  (await stack.pool.query<{ step: string }>("SELECT step FROM effects WHERE run = $1 ORDER BY id", [run])).rows.map(
    ({ step }) => step,
  );
const send = (runs: string[], ms: number) =>
  makeClient(runnerUrl()).send(runs.map((run) => ({ name: "slow", data: { run, ms } })));
const isOver = async (count: number) =>
  (await stack.pool.query("SELECT count(*)::int AS n FROM runner_runs WHERE status = 'completed'")).rows[0]?.n ===
  count;

describe("kill -9", () => {
  it("of the runner in mid-step: a new one goes on where it was, and no finished step runs again", async () => {
    const [runner] = await Promise.all([startRunner(), startApp()]);
    await send(["a"], 400);
    await until(async () => (await effects("a")).includes("two begins"));
    await runner.kill();
    await startRunner();
    await until(() => isOver(1));
    const steps = await effects("a");
    expect(steps.filter((step) => step === "one begins").length).toBe(1);
    // The step that was running is the only one that may run twice.
    expect(steps.filter((step) => step === "two ends").length).toBeGreaterThanOrEqual(1);
    expect(steps.filter((step) => step === "three begins").length).toBe(1);
    expect(steps.filter((step) => step === "done").length).toBe(1);
  });

  it("of the app in mid-step: the step runs again when the app is back", async () => {
    const [app] = await Promise.all([startApp(), startRunner()]);
    await send(["a", "b"], 400);
    await until(async () => (await effects("a")).includes("two begins") && (await effects("b")).includes("two begins"));
    await app.kill();
    await startApp();
    await until(() => isOver(2));
    for (const run of ["a", "b"]) {
      const steps = await effects(run);
      expect(steps.filter((step) => step === "one begins").length).toBe(1);
      expect(steps.filter((step) => step === "two begins").length).toBe(2);
      expect(steps.filter((step) => step === "done").length).toBe(1);
    }
  });

  it("of one of two runners: the other takes its work", async () => {
    const [first] = await Promise.all([startRunner(), startRunner(await freePort()), startApp()]);
    const runs = Array.from({ length: 16 }, (_, n) => `run-${n}`);
    await send(runs, 150);
    await until(
      async () =>
        (await stack.pool.query("SELECT count(DISTINCT runner_id)::int AS n FROM runner_items")).rows[0]?.n === 2,
    );
    await first.kill();
    await until(() => isOver(16));
    for (const run of runs) expect((await effects(run)).filter((step) => step === "done").length).toBe(1);
  });
});
