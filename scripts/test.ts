import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@/scripts/support/embedded-postgres";
import { ensureBrowser } from "@/scripts/support/find-browser";
import { guardedBy, startGuard } from "@/scripts/support/guard";
import { runStage } from "@/scripts/support/run-stage";
import { type Shutdown, shutdownOnSignals } from "@/scripts/support/shutdown";
import { clearReports, STAGES, type Stage, variablesOf, whySkipped } from "@/scripts/support/test-stages";

/**
 * `npm test [-- types lint import-law dead-code audit unit e2e inngest blob]`: runs the stages (the last one where it is named alone), all of them even when one fails, and
 * ends with one line: `N passed, N failed`.
 */

/** What may come through from the person's shell; settings of a service must not change the tests. */
const KEPT_VARIABLES =
  /^(PATH|HOME|USER|SHELL|LANG|LC_.*|TZ|TERM|TMPDIR|TEMP|TMP|CI|FORCE_COLOR|NO_COLOR|XDG_.*|PLAYWRIGHT_.*|CHROMIUM_PATH|NEXT_.*|DO_NOT_TRACK|CHECKPOINT_DISABLE|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY|npm_config_registry)$/i;

/** Without these, programs of Windows do not find their folders. */
const KEPT_ON_WINDOWS =
  /^(SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|PATHEXT|(LOCAL)?APPDATA|USERPROFILE|HOME(DRIVE|PATH)|PROGRAM(FILES(\(X86\))?|DATA))$/i;

const INTERRUPTED = 130;

async function main(names: string[], shutdown: Shutdown): Promise<number> {
  const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(`${unknown.join(", ")}: no such part. There are ${STAGES.map(({ name }) => name).join(", ")}.`);
  }
  const stages = STAGES.filter(({ name, isAsked }) => (names.length === 0 ? !isAsked : names.includes(name)));
  // Hundreds of processes load the same modules: what one has compiled the next ones need not.
  const env: NodeJS.ProcessEnv = { ...keptVariables(), NODE_ENV: "test", NODE_COMPILE_CACHE: makeFolder(shutdown) };
  clearReports();
  let running: { kill(): void } | undefined;
  shutdown.add(() => running?.kill());
  const total = { passed: 0, failed: 0 };
  for (const stage of stages) {
    const reason = whySkipped(stage, process.env);
    if (reason) {
      process.stdout.write(`${stage.name}: skipped. ${reason}\n`);
      continue;
    }
    const problem = await provide(stage, env, shutdown);
    if (problem) process.stdout.write(`${stage.name}: ${problem}\n`);
    const onChild = (child: { kill(): void } | undefined) => {
      running = child;
    };
    const stageEnv = variablesOf(stage, env, process.env);
    const { passed, failed } = problem ? { passed: 0, failed: 1 } : await runStage(stage, { env: stageEnv, onChild });
    if (!stage.isTold || names.length > 0) {
      total.passed += passed;
      total.failed += failed;
    }
    if (shutdown.isStopping()) return new Promise(() => {});
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed > 0 ? 1 : 0;
}

function keptVariables(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)));
}

function isKept(name: string): boolean {
  return KEPT_VARIABLES.test(name) || KEPT_ON_WINDOWS.test(name);
}

/** Provides what a stage needs, once; returns what is wrong when it cannot. */
async function provide(stage: Stage, env: NodeJS.ProcessEnv, shutdown: Shutdown): Promise<string | undefined> {
  try {
    if (stage.needs.includes("postgres")) env.TEST_POSTGRES_URL ??= await startTestPostgres(shutdown);
    if (stage.needs.includes("browser")) env.CHROMIUM_PATH = await ensureBrowser();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** One server for all stages; each test file makes a database of its own on it. */
async function startTestPostgres(shutdown: Shutdown): Promise<string> {
  if (process.env.TEST_POSTGRES_URL) return process.env.TEST_POSTGRES_URL;
  const dataDir = makeFolder(shutdown);
  const guard = startGuard();
  shutdown.add(() => guard.release());
  const password = randomBytes(12).toString("hex");
  const watcher = guardedBy(guard, ["SIGQUIT"]);
  const postgres = await startPostgres({ dataDir, password, isThrowaway: true, watcher });
  shutdown.add(() => postgres.stop());
  const maintenance = new URL(postgres.url);
  maintenance.pathname = "/postgres";
  return maintenance.href;
}

/** Empty, and gone with the run. */
function makeFolder(shutdown: Shutdown): string {
  const folder = mkdtempSync(join(tmpdir(), "service-test-"));
  // Windows holds on to files for a moment after their program has ended.
  shutdown.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

const shutdown = shutdownOnSignals(INTERRUPTED);
try {
  await shutdown.stop(await main(process.argv.slice(2), shutdown));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  await shutdown.stop(1);
}
