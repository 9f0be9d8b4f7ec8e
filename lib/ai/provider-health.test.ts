import { describe, expect, it } from "vitest";
import { ProviderHealth } from "@/lib/ai/provider-health";

/** One whose clock stands until it is moved. */
function newHealth() {
  const clock = { ms: 0 };
  return { clock, health: new ProviderHealth(() => clock.ms) };
}

describe("a provider's health", () => {
  it("is good until three calls have failed", () => {
    const { health } = newHealth();
    expect([health.failed(), health.failed()]).toEqual([false, false]);
    expect(health.askFirst()).toBe("provider");
  });

  it("has the fallback asked first after three failures, and says so once", () => {
    const { health } = newHealth();
    expect([health.failed(), health.failed(), health.failed(), health.failed()]).toEqual([false, false, true, false]);
    expect(health.askFirst()).toBe("fallback");
  });

  it("has one call in 30 seconds try a failing provider, and nobody wait for it", () => {
    const { clock, health } = newHealth();
    for (let i = 0; i < 3; i++) health.failed();
    clock.ms = 29_999;
    expect(health.askFirst()).toBe("fallback");
    clock.ms = 30_000;
    expect([health.askFirst(), health.askFirst(), health.askFirst()]).toEqual(["provider", "fallback", "fallback"]);
    health.failed();
    clock.ms = 59_999;
    expect(health.askFirst()).toBe("fallback");
    clock.ms = 60_000;
    expect(health.askFirst()).toBe("provider");
  });
});
