import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { writePrivateJson } from "@/scripts/support/private-file";
import * as identity from "@/scripts/support/process-identity";
import { acquireLock } from "@/scripts/support/service-lock";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "living-holder-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataDir, { recursive: true, force: true });
});

function startOther() {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill());
  return { pid: child.pid ?? 0, startedAt: "", purpose: "service" as const };
}

describe("two services on one data directory would spoil it:", () => {
  it("whoever takes it over from one that is gone leaves it to another that was quicker", async () => {
    const other = startOther();
    const path = join(dataDir, "service.lock");
    writePrivateJson(path, { pid: 2 ** 30, startedAt: "", purpose: "service" });
    // Between the look at the old lock and its removal.
    vi.spyOn(identity, "isRunning").mockImplementationOnce(() => {
      writePrivateJson(path, other);
      return false;
    });
    expect(await acquireLock(dataDir, "service", 0)).toEqual({ holder: other });
    expect(readdirSync(dataDir)).toEqual(["service.lock"]);
  });

  it("a holder of another user lives, though this one may send it nothing", () => {
    const refuse = (code: string) =>
      vi.spyOn(process, "kill").mockImplementationOnce(() => {
        throw Object.assign(new Error(code), { code });
      });
    refuse("EPERM");
    expect(identity.isPidAlive(process.pid)).toBe(true);
    refuse("ESRCH");
    expect(identity.isPidAlive(process.pid)).toBe(false);
  });
});

it.skipIf(process.platform !== "linux")(
  "a process that has ended is gone, also while nobody asked how it ended",
  async () => {
    const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void parent.kill());
    const [line] = await once(parent.stdout, "data");
    await expect.poll(() => identity.isPidAlive(Number(line))).toBe(false);
  },
);
