import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runQuietly } from "@/scripts/support/run-quietly.mjs";

const folder = mkdtempSync(join(tmpdir(), "run-quietly-"));
const note = join(folder, "pid");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A step that notes its number and waits. */
const STEP = `require("node:fs").writeFileSync(${JSON.stringify(note)}, String(process.pid)); setInterval(() => {}, 1_000);`;
const START = `
const { runQuietly } = await import("./scripts/support/run-quietly.mjs");
const step = { file: process.execPath, args: ["-e", ${JSON.stringify(STEP)}], cwd: process.cwd(), env: process.env };
await runQuietly({ label: "Waiting", done: "Waited", ...step });`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a step of a start", () => {
  it("that the system killed says what may have been the cause", async () => {
    const killed = {
      file: process.execPath,
      args: ["-e", "console.log('half'); process.kill(process.pid, 'SIGKILL')"],
    };
    const step = runQuietly({ label: "Building", done: "Built", ...killed, cwd: process.cwd(), env: process.env });
    await expect(step).rejects.toThrow("It was ended by SIGKILL. So a system does where memory runs out");
  });

  it("ends with a start that is killed: a build that went on alone had the next start fail", async () => {
    const start = spawn(process.execPath, ["--input-type=module", "-e", START], { stdio: "ignore" });
    await vi.waitUntil(() => existsSync(note) && readFileSync(note, "utf8") !== "", { timeout: 10_000 });
    const pid = Number(readFileSync(note, "utf8"));
    expect(isAlive(pid)).toBe(true);
    start.kill("SIGKILL");
    await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000 });
  });
});
