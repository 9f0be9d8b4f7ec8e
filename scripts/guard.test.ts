import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { guardedBy, startGuard } from "@/scripts/support/guard";

const spawnWaiting = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
const endOf = async (child: ChildProcess) => (await once(child, "exit"))[1];

describe("the guard", () => {
  it("ends what is started after it was let go: a stop in the middle of a start leaves nothing running", async () => {
    const guard = startGuard();
    await guard.release();
    const late = spawnWaiting();
    const ended = endOf(late);
    guardedBy(guard, ["SIGINT", "SIGQUIT"]).onStart(late.pid ?? 0);
    expect(await ended).toBe("SIGINT");
  });

  it("leaves alone what has ended, and whatever has its number by then", async () => {
    const guard = startGuard();
    const [ended, guarded] = [spawnWaiting(), spawnWaiting()];
    guard.add(ended.pid ?? 0, ["SIGTERM"]);
    guard.add(guarded.pid ?? 0, ["SIGTERM"]);
    guard.remove(ended.pid ?? 0);
    const end = endOf(guarded);
    await guard.release();
    expect(await end).toBe("SIGTERM");
    expect([ended.exitCode, ended.signalCode]).toEqual([null, null]);
    ended.kill();
  });
});
