import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({
  OPENAI_BASE_URL: model.baseUrl,
  MODEL_RETRY_DELAYS_SECONDS: "1",
  LOG_LEVEL: "info",
  LOG_FORMAT: "json",
}));
afterAll(async () => {
  await turnStops().close();
  await model.stop();
});

/** The lines that a failed turn writes. */
async function linesOf(message: string, attempt: number): Promise<Record<string, unknown>[]> {
  const { principal } = await createTestAccount();
  const { turnId } = await acceptTurn(principal, chatTurn({ input: message }));
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await answerTurn(turnId, attempt);
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    return lines.filter((line) => line.turnId === turnId);
  } finally {
    written.mockRestore();
  }
}

it("stands in the log in the words of the model's server, at each try, and nowhere else", async () => {
  const reason = "400 SECRET-PROVIDER-TEXT about org-123";
  const [refused] = await linesOf("Hello [[fail:400]]", 0);
  expect(refused).toMatchObject({ level: "warn", code: "MODEL_REJECTED", reason });
  const { rows } = await db().query<{ row: string }>(
    "SELECT to_jsonb(t)::text AS row FROM turns t UNION ALL SELECT to_jsonb(e)::text FROM session_events e",
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.filter(({ row }) => row.includes("SECRET-PROVIDER-TEXT"))).toEqual([]);

  const [retried] = await linesOf("Hello [[fail:503]]", 0);
  expect(retried).toMatchObject({ code: "MODEL_UNAVAILABLE", reason: expect.stringMatching(/^503 /) });
  const [failed] = await linesOf("Hello [[fail:503]]", 1);
  expect(failed).toMatchObject({ level: "warn", code: "MODEL_UNAVAILABLE", reason: expect.stringMatching(/^503 /) });
});

it("is told at its first try, long before a turn has failed, and of all the tries of an outage once", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    vi.advanceTimersByTime(3_600_000);
    const levels = [];
    for (let turn = 0; turn < 3; turn++) {
      levels.push((await linesOf("Hello [[fail:503]]", 0))[0]?.level);
      if (turn === 1) vi.advanceTimersByTime(300_000);
    }
    expect(levels).toEqual(["warn", "info", "warn"]);
  } finally {
    vi.useRealTimers();
  }
});
