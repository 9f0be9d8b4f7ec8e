import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "@/bench/benchmarks";
import { Report } from "@/bench/support/report";
import { asksForHelp } from "@/scripts/support/command-line";
import { shutdownOnSignals } from "@/scripts/support/shutdown";

/**
 * `npm run bench` lists the benchmarks, `npm run bench -- <name> [--short]` runs one, `npm run bench -- all` all of them.
 * Figures stand beside their goals and never fail a run; exit code 1 means that something that must hold did not.
 */

const INTERRUPTED = 130;
const USAGE = `Usage: npm run bench -- <name>|all [--short] [--profile DIRECTORY]
       crash takes --kills N, --jobs N and --seed N as well; webhooks --deliveries N and --seed N;
       tenancy, erase, model-faults and bad-input --seed N;
       growth --sessions N, --calls N and --turns N; peers --rounds N;
       long-document --pages N; lighthouse --pages TEXT;
       provider-limit --jobs N and --patience SECONDS`;

/** What single benchmarks take: numbers, but for the text that is lighthouse's `pages`. */
const OPTIONS = ["kills", "jobs", "seed", "deliveries", "sessions", "calls", "turns", "rounds", "pages", "patience"];

const shutdown = shutdownOnSignals(INTERRUPTED);
try {
  await shutdown.stop(await main());
} catch (error) {
  // What is measured is being taken away from under the measurement: that it fails then says nothing.
  if (!shutdown.isStopping()) {
    const { code, message, stack } = error as NodeJS.ErrnoException;
    process.stderr.write(String(code).startsWith("ERR_PARSE_ARGS") ? `${message}\n${USAGE}\n` : `${stack}\n`);
    await shutdown.stop(1);
  }
}

async function main(): Promise<number> {
  if (asksForHelp(process.argv.slice(2))) return list();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: "boolean", default: false },
      profile: { type: "string" },
      ...Object.fromEntries(OPTIONS.map((option) => [option, { type: "string" as const }])),
    },
  });
  const [name, ...more] = positionals;
  if (name === undefined) return list();
  if (name === "all" && more.length === 0) return runAll(process.argv.slice(2).filter((word) => word !== "all"));
  if (!BENCHMARKS[name] || more.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  return runOne(name, values);
}

function list(): number {
  const width = Math.max(...Object.keys(BENCHMARKS).map((name) => name.length));
  for (const [name, { summary }] of Object.entries(BENCHMARKS)) console.log(`  ${name.padEnd(width)}  ${summary}`);
  console.log(`\n${USAGE}`);
  return 0;
}

/** Each in a process of its own: settings and pools belong to a process. */
async function runAll(flags: string[]): Promise<number> {
  let worst = 0;
  for (const name of Object.keys(BENCHMARKS)) {
    const child = spawn(process.execPath, [...process.execArgv, resolve("scripts/bench.ts"), name, ...flags], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    const ended = once(child, "exit");
    shutdown.add(async () => {
      child.kill("SIGTERM");
      await ended;
    });
    const [code] = (await ended) as [number | null];
    if (shutdown.isStopping()) return INTERRUPTED;
    worst = Math.max(worst, code ?? 1);
  }
  return worst;
}

type Values = Record<string, string | boolean | undefined>;

async function runOne(name: string, values: Values): Promise<number> {
  const benchmark = await BENCHMARKS[name]?.load();
  const profileDir = typeof values.profile === "string" ? resolve(values.profile) : undefined;
  if (profileDir) mkdirSync(profileDir, { recursive: true });
  const report = new Report(name);
  console.log(`${name}: ${BENCHMARKS[name]?.summary}${values.short ? " (short)" : ""}`);
  await benchmark?.({
    isShort: values.short === true,
    report,
    onEnd: (stop) => shutdown.add(stop),
    profileDir,
    option: (option, fallback) => (typeof values[option] === "string" ? Number(values[option]) : fallback),
    text: (option) => (typeof values[option] === "string" ? values[option] : undefined),
  });
  report.print();
  return report.hasViolations ? 1 : 0;
}
