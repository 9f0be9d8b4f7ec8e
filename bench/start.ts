import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { descendantsOf, type SeenProcess, stillRunning } from "@/bench/support/process-tree";
import { median } from "@/bench/support/report";
import { buildIfChanged } from "@/scripts/support/build-app";
import { freePort } from "@/scripts/support/free-port";

const START_TIMEOUT_MS = 90_000;
const ORPHAN_GRACE_MS = 25_000;
const KEPT_VARIABLES = ["PATH", "HOME", "TMPDIR", "NEXT_DIST_DIR", "NODE_EXTRA_CA_CERTS"];

/** `npm start` in an empty data directory and again, until its address is printed; and what is left when it is ended. */
export const start: Benchmark = async (run) => {
  await buildIfChanged();
  const dataDir = await mkdtemp(join(tmpdir(), "service-bench-start-"));
  run.onEnd(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const first = await startAndStop(run, dataDir, port);
  run.report.figure("first start, built already", first.seconds, "s");
  const later: { seconds: number; stopSeconds: number }[] = [];
  for (let round = 0; round < (run.isShort ? 1 : 5); round++) later.push(await startAndStop(run, dataDir, port));
  run.report.figure("second start", median(later.map(({ seconds }) => seconds)), "s", { atMost: 5 });
  run.report.figure("Ctrl-C until all is gone", median(later.map(({ stopSeconds }) => stopSeconds)), "s");

  const killed = await launch(run, dataDir, port);
  const left = [...descendantsOf(killed.pid), ...killed.self];
  killed.child.kill("SIGKILL");
  const goneMs = await waitUntilGone(left);
  reportOrphans(run, "kill -9", left);
  run.report.figure("kill -9 of npm start until all is gone", goneMs / 1_000, "s");
  const recovered = await startAndStop(run, dataDir, port);
  run.report.figure("start after the kill", recovered.seconds, "s");
};

interface Launched {
  child: ChildProcess;
  pid: number;
  seconds: number;
  /** The launcher itself. */
  self: SeenProcess[];
}

async function startAndStop(run: BenchmarkRun, dataDir: string, port: number) {
  const { child, pid, seconds } = await launch(run, dataDir, port);
  const below = descendantsOf(pid);
  const url = `http://localhost:${port}`;
  const health = await fetch(`${url}/api/v1/health`).then((response) => response.status);
  run.report.mustHold(health === 200, `${url}/api/v1/health answered ${health}`);
  run.report.mustHold(
    process.platform !== "linux" || below.length >= 3,
    `only ${below.length} processes were seen below npm start`,
  );
  const stoppedAt = performance.now();
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const [code] = (await ended) as [number | null];
  run.report.mustHold(code === 0, `npm start ended with code ${code} after Ctrl-C`);
  await waitUntilGone(below);
  reportOrphans(run, "Ctrl-C", below);
  return { seconds, stopSeconds: (performance.now() - stoppedAt) / 1_000 };
}

/** @throws Error with its output when it ends or says no address in time */
async function launch(run: BenchmarkRun, dataDir: string, port: number): Promise<Launched> {
  const kept = Object.fromEntries(KEPT_VARIABLES.map((name) => [name, process.env[name]]));
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["scripts/launch.mjs", "start"], {
    env: { ...kept, DATA_DIR: dataDir, PORT: String(port), NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  run.onEnd(() => void child.kill("SIGINT"));
  let output = "";
  const address = new Promise<void>((resolve) => {
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString();
      if (output.includes(`http://localhost:${port}`)) resolve();
    });
    child.stderr.on("data", (data: Buffer) => {
      output += data.toString();
    });
  });
  const failed = once(child, "exit").then(() => Promise.reject(new Error(`npm start ended:\n${output}`)));
  failed.catch(() => {});
  const late = delay(START_TIMEOUT_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`npm start said no address:\n${output}`)),
  );
  late.catch(() => {});
  await Promise.race([address, failed, late]);
  const pid = child.pid ?? 0;
  return {
    child,
    pid,
    seconds: (performance.now() - startedAt) / 1_000,
    self: descendantsOf(process.pid).filter((seen) => seen.pid === pid),
  };
}

async function waitUntilGone(seen: SeenProcess[]): Promise<number> {
  const startedAt = performance.now();
  while (stillRunning(seen).length > 0 && performance.now() - startedAt < ORPHAN_GRACE_MS) await delay(20);
  return performance.now() - startedAt;
}

function reportOrphans(run: BenchmarkRun, after: string, seen: SeenProcess[]): void {
  const orphans = stillRunning(seen);
  run.report.mustHold(
    orphans.length === 0,
    `left running after ${after}: ${orphans.map(({ commandLine }) => commandLine).join("; ")}`,
  );
}
