import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { getServiceStatus } from "@/lib/services/health/get-service-status";

describe("getServiceStatus", () => {
  useServiceDatabase({
    DEFAULT_MODEL: "test-model",
    IS_DEMO_MODEL: "true",
    OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
  });

  it("says that the database answers, and with what the service runs", async () => {
    expect(await getServiceStatus()).toEqual({
      version: "1.0.0",
      database: "ok",
      model: { name: "test-model", isDemo: true, isConfigured: true, fallback: null },
      storage: "disk",
    });
  });

  it.each([
    [{ FALLBACK_MODEL: "small" }, { model: "small", server: "the same server" }],
    [{ FALLBACK_API_KEY: "sk-other" }, { model: "the same model", server: "OpenAI" }],
    [
      { FALLBACK_MODEL: "small", FALLBACK_BASE_URL: "http://b.example/v1" },
      { model: "small", server: "b.example" },
    ],
  ])("says what stands in for the model with %j", async (settings, fallback) => {
    const { env } = await import("@/lib/env");
    Object.assign(env(), settings);
    expect((await getServiceStatus()).model.fallback).toEqual(fallback);
    for (const name of Object.keys(settings)) Object.assign(env(), { [name]: undefined });
  });

  it("says that the database is away instead of throwing", async () => {
    const status = await getServiceStatus(() => Promise.reject(new Error("connect ECONNREFUSED")));
    expect(status.database).toBe("away");
  });

  it("gives up on a database that hangs", async () => {
    const status = await getServiceStatus(() => new Promise(() => {}));
    expect(status.database).toBe("away");
  });
});
