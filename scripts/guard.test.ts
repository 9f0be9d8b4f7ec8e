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
});
