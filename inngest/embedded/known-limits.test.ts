import { describe, expect, it } from "vitest";
import { KnownLimits } from "@/inngest/embedded/known-limits";

const FULL = new Set(["work|account|a"]);

describe("KnownLimits", () => {
  it("holds back lanes of which one key is full, and no others", () => {
    const limits = new KnownLimits();
    expect(limits.beginLook()(FULL)).toBe(false);
    expect(limits.holdBack(["work||\nwork|account|a"])).toBe(true);
    expect(limits.holdBack(["work||\nwork|account|a", "work||\nwork|account|b"])).toBe(false);
    expect(limits.holdBack([])).toBe(false);
  });

  it("forgets what it knew when something ends", () => {
    const limits = new KnownLimits();
    limits.beginLook()(FULL);
    limits.noteEnd();
    expect(limits.holdBack(["work|account|a"])).toBe(false);
  });

  it("does not believe a look during which something ended, and says so", () => {
    const limits = new KnownLimits();
    const learn = limits.beginLook();
    limits.noteEnd();
    expect(learn(FULL)).toBe(true);
    expect(limits.holdBack(["work|account|a"])).toBe(false);
  });
});
