import { describe, expect, it } from "vitest";
import { type ApiKeyTimes, apiKeyAgeDays, apiKeyStatus, isRotationDue } from "@/lib/domain/api-key-status";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const EARLIER = new Date("2026-06-01T11:59:59.999Z");
const LATER = new Date("2026-06-01T12:00:00.001Z");
const FRESH: ApiKeyTimes = { createdAt: EARLIER, expiresAt: null, revokedAt: null, replacedById: null };

describe("apiKeyStatus", () => {
  it.each<[string, Partial<ApiKeyTimes>, string]>([
    ["a key without an end", {}, "active"],
    ["one that expires later", { expiresAt: LATER }, "active"],
    ["one that expires now, as authentication has it", { expiresAt: NOW }, "expired"],
    ["one with a successor, until it expires", { expiresAt: LATER, replacedById: "key_2" }, "retiring"],
    ["one with a successor afterwards", { expiresAt: EARLIER, replacedById: "key_2" }, "expired"],
    ["a revoked one, whatever else is true", { revokedAt: EARLIER, expiresAt: EARLIER, replacedById: "k" }, "revoked"],
  ])("of %s", (_what, changes, status) => {
    expect(apiKeyStatus({ ...FRESH, ...changes }, NOW)).toBe(status);
  });
});

describe("isRotationDue", () => {
  const old = { ...FRESH, createdAt: new Date("2026-03-03T12:00:00.000Z") };

  it("begins on the ninetieth day", () => {
    expect(apiKeyAgeDays(old, NOW)).toBe(90);
    expect(isRotationDue(old, NOW)).toBe(true);
    expect(isRotationDue(old, new Date(NOW.getTime() - 1))).toBe(false);
  });

  it("is not said of a key that takes no more calls or has a successor", () => {
    for (const changes of [{ revokedAt: EARLIER }, { expiresAt: EARLIER }, { replacedById: "key_2" }]) {
      expect(isRotationDue({ ...old, ...changes }, NOW)).toBe(false);
    }
  });
});
