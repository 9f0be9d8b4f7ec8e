import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";

const ask = { model: "m", messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }] };
const servers: ModelServer[] = [];

beforeEach(() => {
  // Settings and the client are read once per process: each test is a process of its own here.
  vi.resetModules();
  Reflect.deleteProperty(globalThis, Symbol.for("service.model"));
  vi.unstubAllEnvs();
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

describe("streamAnswer", () => {
  it("says that no model is configured, without any call", async () => {
    const { streamAnswer } = await import("@/lib/ai/model-port");
    await expect(streamAnswer(ask, () => {})).rejects.toMatchObject({
      code: "MODEL_NOT_CONFIGURED",
      isRetryable: false,
    });
  });

  it("asks the server that the settings name, with their key", async () => {
    const server = await startModelServer();
    servers.push(server);
    vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
    vi.stubEnv("OPENAI_API_KEY", "sk-set");
    const { streamAnswer } = await import("@/lib/ai/model-port");
    expect(await streamAnswer(ask, () => {})).toMatchObject({ text: "Echo: Hi" });
    expect(server.journal[0]?.headers.authorization).toBe("Bearer sk-set");
  });

  it("may take longer than silence may last, and is counted by the way that its tokens went", async () => {
    const server = await startModelServer();
    servers.push(server);
    vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
    vi.stubEnv("MODEL_IDLE_TIMEOUT_SECONDS", "0.4");
    vi.stubEnv("MODEL_TIMEOUT_SECONDS", "20");
    const [{ streamAnswer }, { metrics }] = await Promise.all([import("@/lib/ai/model-port"), import("@/lib/metrics")]);
    const { modelTokens } = metrics();
    modelTokens.reset();
    const text = "one two three four five six [[slow:100ms]] [[chunk:4]]";
    const { tokensIn, tokensOut } = await streamAnswer(
      { ...ask, messages: [{ role: "user", parts: [{ type: "text", text }] }] },
      () => {},
    );
    expect(tokensIn).not.toBe(tokensOut);
    expect((await modelTokens.get()).values).toMatchObject([
      { labels: { direction: "in" }, value: tokensIn },
      { labels: { direction: "out" }, value: tokensOut },
    ]);
  });

  it("needs no key for a server of one's own, and takes none from elsewhere in the environment", async () => {
    const server = await startModelServer();
    servers.push(server);
    vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
    vi.stubEnv("OPENAI_ORG_ID", "org-stray");
    vi.stubEnv("OPENAI_PROJECT_ID", "proj-stray");
    const { streamAnswer } = await import("@/lib/ai/model-port");
    await streamAnswer(ask, () => {});
    expect(JSON.stringify(server.journal[0]?.headers)).not.toContain("stray");
  });
});
