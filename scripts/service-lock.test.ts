import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writePrivateJson } from "@/scripts/support/private-file";
import { isRunning, ownIdentity } from "@/scripts/support/process-identity";
import { acquireLock } from "@/scripts/support/service-lock";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "service-lock-"));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("acquireLock", () => {
  it("gives a data directory to one of many who ask at once, and names it to the others", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => acquireLock(dataDir, "service", 0)));
    expect(answers.filter((answer) => "release" in answer)).toHaveLength(1);
    for (const answer of answers) {
      if ("holder" in answer) expect(answer.holder).toMatchObject({ pid: process.pid, purpose: "service" });
    }
  });

  it("gives it again once it was given back, and leaves no file behind", async () => {
    for (let round = 0; round < 3; round++) {
      const lock = await acquireLock(dataDir, "service", 0);
      expect("release" in lock).toBe(true);
      if ("release" in lock) lock.release();
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("takes it over from a process that is gone", async () => {
    writePrivateJson(join(dataDir, "service.lock"), { pid: await deadPid(), startedAt: "then", purpose: "service" });
    expect("release" in (await acquireLock(dataDir, "service", 0))).toBe(true);
  });

  it("takes it over when the number belongs to a later process", async () => {
    writePrivateJson(join(dataDir, "service.lock"), {
      pid: process.pid,
      startedAt: "an earlier boot",
      purpose: "service",
    });
    expect("release" in (await acquireLock(dataDir, "service", 0))).toBe(true);
  });

  it("waits for an operator command that holds it for a moment", async () => {
    const admin = await acquireLock(dataDir, "admin", 0);
    const waiting = acquireLock(dataDir, "service", 10_000);
    if ("release" in admin) admin.release();
    expect("release" in (await waiting)).toBe(true);
  });

  it("waits for a service that was told to stop, and for no other", async () => {
    const service = await acquireLock(dataDir, "service", 0);
    if (!("release" in service)) throw new Error("The directory was free.");
    expect(await acquireLock(dataDir, "service", 10_000)).toMatchObject({ holder: { purpose: "service" } });
    service.leave();
    const waiting = acquireLock(dataDir, "service", 10_000);
    expect(await acquireLock(dataDir, "admin", 0)).toMatchObject({ holder: { isStopping: true } });
    service.release();
    expect("release" in (await waiting)).toBe(true);
  });

  it("names the operator command when it does not end in time", async () => {
    await acquireLock(dataDir, "admin", 0);
    expect(await acquireLock(dataDir, "service", 0)).toMatchObject({ holder: { purpose: "admin" } });
    expect(existsSync(join(dataDir, "service.lock"))).toBe(true);
  });
});

describe("isRunning", () => {
  it("knows this process, and that an ended one is gone", async () => {
    expect(isRunning(ownIdentity())).toBe(true);
    expect(isRunning({ pid: await deadPid(), startedAt: "" })).toBe(false);
  });

  it("leaves a lock to a living process of which the system does not say when it began", () => {
    expect(isRunning({ pid: process.pid, startedAt: "" })).toBe(true);
  });
});

describe("a system without /proc", () => {
  const { platform } = process;

  beforeEach(() => {
    if (platform === "linux") Object.defineProperty(process, "platform", { value: "darwin" });
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    Object.defineProperty(process, "platform", { value: platform });
  });

  it("tells in any terminal, of whatever zone and language, that a holder is the same", () => {
    vi.stubEnv("TZ", "America/New_York");
    const holder = ownIdentity();
    expect(holder.startedAt).not.toBe("");
    vi.stubEnv("TZ", "Asia/Kathmandu").stubEnv("LC_ALL", "de_DE.UTF-8");
    expect(isRunning(holder)).toBe(true);
    expect(isRunning({ ...holder, startedAt: "Mon Jan  1 00:00:00 2024" })).toBe(false);
  });
});
