import { describe, expect, it } from "vitest";
import { limitParallel } from "@/lib/ai/files/limit-parallel";

describe("limitParallel", () => {
  it("never runs more at once than its limit, and runs all", async () => {
    const run = limitParallel(3);
    let running = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run(async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return index;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("goes on after a task that fails", async () => {
    const run = limitParallel(1);
    const failing = run(() => Promise.reject(new Error("no")));
    const next = run(async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("lets go of a task that is not wanted any more while it waits, and keeps its place for the others", async () => {
    const run = limitParallel(1);
    const gate = Promise.withResolvers<void>();
    const running = run(() => gate.promise);
    const abort = new AbortController();
    let hasRun = false;
    const unwanted = run(async () => {
      hasRun = true;
    }, abort.signal);
    const next = run(async () => "next");
    const reason = new Error("not wanted");
    abort.abort(reason);
    await expect(unwanted).rejects.toBe(reason);
    gate.resolve();
    await running;
    expect(await next).toBe("next");
    expect(hasRun).toBe(false);
    await expect(run(async () => "late", abort.signal)).rejects.toBe(reason);
  });
});
