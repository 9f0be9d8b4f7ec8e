import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { takePace } from "@/lib/give-way";

describe("takePace", () => {
  it("is due when a slice is over, and begins a new one when others have worked", async () => {
    let now = 0;
    const pace = takePace(() => now);
    now = 9;
    expect(pace.isDue()).toBe(false);
    now = 10;
    expect(pace.isDue()).toBe(true);
    const order: string[] = [];
    const other = setImmediate().then(() => order.push("other"));
    now = 100;
    await pace.giveWay();
    order.push("again");
    await other;
    expect(order).toEqual(["other", "again"]);
    expect(pace.isDue()).toBe(false);
    now = 110;
    expect(pace.isDue()).toBe(true);
  });
});
