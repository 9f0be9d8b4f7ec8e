import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RawModelServer, refusal, startRawModelServer } from "@/e2e/support/raw-model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

/** Of a gateway: nothing in its form says that it is one. */
const KEY = "gateway-0f3a9c51d27b";

let model: RawModelServer;

beforeAll(async () => {
  model = await startRawModelServer();
});
useServiceDatabase(() => ({
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_API_KEY: KEY,
  LOG_LEVEL: "info",
  LOG_FORMAT: "json",
}));
afterAll(async () => {
  await turnStops().close();
  await model.stop();
});

it.each([
  ["repeats it", "LiteLLM"],
  ["repeats it where the log cuts its words off", "x".repeat(248)],
])("of the model's server is in no line of the log when the server %s", async (_, before) => {
  const message = `${before} Virtual Key expected. Received=${KEY}, expected to start with 'sk-'.`;
  model.answerWith(() => refusal(401, { error: { message, code: "401" } }));
  const { principal } = await createTestAccount();
  const { turnId } = await acceptTurn(principal, chatTurn({ input: "Hello" }));
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await answerTurn(turnId, 0);
    const lines = written.mock.calls.map(([line]) => String(line)).join("");
    expect(lines).toContain(`"code":"MODEL_NOT_CONFIGURED","reason":"401 ${before} Virtual Key expected. Received=[`);
    // Nor its beginning.
    expect(lines).not.toContain(KEY.slice(0, 10));
  } finally {
    written.mockRestore();
  }
});
