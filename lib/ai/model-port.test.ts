import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";

const ask = { model: "m", messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }] };
const servers: ModelServer[] = [];

/** Settings and the client are read once per process: as in one that has just begun. */
function beginProcess(): void {
  vi.resetModules();
  for (const name of ["model", "model-answering"]) Reflect.deleteProperty(globalThis, Symbol.for(`service.${name}`));
}

beforeEach(() => {
  beginProcess();
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

  it("has the fallback of the settings stand in, another server or the same one's other model, and counts both", async () => {
    const [server, other] = await Promise.all([startModelServer(), startModelServer()]);
    servers.push(server, other);
    const away = { fault: { kind: "status", status: 503 } } as const;
    server.setBehaviour(({ body }) => (body.model === "small" ? {} : away));
    vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
    vi.stubEnv("FALLBACK_MODEL", "small");
    const answer = async () => {
      beginProcess();
      return (await import("@/lib/ai/model-port")).streamAnswer(ask, () => {});
    };
    const { metrics } = await import("@/lib/metrics");
    metrics().modelSeconds.reset();
    expect(await answer()).toMatchObject({ text: "Echo: Hi", model: "small" });
    expect(server.journal.map(({ body }) => body.model)).toEqual(["m", "small"]);
    const { values } = await metrics().modelSeconds.get();
    const counts = values.filter(({ metricName }) => metricName?.endsWith("_count"));
    expect(counts.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
      { kind: "answer", outcome: "MODEL_UNAVAILABLE", value: 1 },
      { kind: "answer-fallback", outcome: "ok", value: 1 },
    ]);

    vi.stubEnv("FALLBACK_BASE_URL", other.baseUrl);
    vi.stubEnv("FALLBACK_API_KEY", "sk-other");
    expect(await answer()).toMatchObject({ text: "Echo: Hi", model: "small" });
    expect(server.journal).toHaveLength(3);
    expect(other.journal[0]?.headers.authorization).toBe("Bearer sk-other");
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
