import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * `node scripts/audit-dependencies.mjs REPORT [SECONDS]`: asks the registry for known faults of what runs in production and writes
 * its answer, whatever it is, to REPORT (scripts/support/read-audit-report.ts judges it). Never fails, and gives up after
 * 20 seconds: there may be no network.
 */

const [report = "audit.json", seconds = "20"] = process.argv.slice(2);
const timeout = Number(seconds) * 1_000;
const isWindows = process.platform === "win32";
const flags = ["--omit=dev", "--json", "--fetch-retries=0", `--fetch-timeout=${Math.round(timeout * 0.75)}`];
const { stdout, error } = spawnSync(isWindows ? "npm.cmd" : "npm", ["audit", ...flags], {
  encoding: "utf8",
  timeout,
  maxBuffer: 64 * 1024 * 1024,
  shell: isWindows,
  stdio: ["ignore", "pipe", "ignore"],
});
mkdirSync(dirname(report), { recursive: true });
writeFileSync(report, stdout || JSON.stringify({ message: error?.message ?? "npm said nothing" }));
