import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, test } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { operate } from "@/e2e/support/operator";
import { releaseModel, suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** A server that is told to stop while a client reads a stream and a long answer is being written. */

const STOP_DELAY_SECONDS = 3;
/** Longer than the test may take: what goes on before was handed back. */
const LEASE_SECONDS = 600;

const RUNS_OF_TURNS = `
  SELECT state, losses, (SELECT generation FROM turns) AS generation
  FROM runner_items JOIN runner_runs ON id = run_id WHERE function_id LIKE '%answer-turn'`;

let database: TestDatabase;
let service: TestService;

test.beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({
    databaseUrl: database.url,
    modelUrl: suite.modelUrl,
    settings: {
      STOP_DELAY_SECONDS: String(STOP_DELAY_SECONDS),
      RUNNER_LEASE_SECONDS: String(LEASE_SECONDS),
      TURN_STALE_SECONDS: String(LEASE_SECONDS),
      MODEL_IDLE_TIMEOUT_SECONDS: String(LEASE_SECONDS),
    },
  });
});

test.afterAll(async () => {
  await service?.close();
  await database?.drop();
});

test("says so before it goes, ends streams with a hint, hands its work back; the next process goes on with it", async () => {
  const { accountId, apiKey } = await operate<{ accountId: string; apiKey: string }>(
    service.variables,
    ...["create-account", "--company", "Stop", "--email", "owner@stop.test", "--verified", "--credits", "1000"],
  );
  const api = apiClient(service.url, apiKey);
  const hold = randomUUID();
  const message = `go on [[hold:${hold}]] [[size:400]] [[chunk:10]]`;
  const { body } = await api.post<{ sessionId: string }>("/chat", { message });
  const stream = await api.fetch(`/chat/${body.sessionId}/stream`);
  const text = stream.text();
  // A server that has just begun takes calls before its runner knows the functions.
  await expect.poll(() => query(RUNS_OF_TURNS)).toMatchObject([{ state: "leased" }]);

  const stopped = service.stop();
  await expect.poll(async () => (await api.get("/health/ready")).status, { intervals: [50] }).toBe(503);
  const last = await api.get("/health/live");
  expect([last.status, last.headers.get("connection")]).toEqual([200, "close"]);
  // A stop that takes longer than it may ends with another code (scripts/serve.ts).
  expect(await stopped).toBe(0);

  const blocks = (await text).split("\n\n").filter(Boolean);
  expect(blocks[0]).toMatch(/^event: status\n/);
  expect(blocks.at(-1)).toBe("retry: 1000");
  expect(blocks.some((block) => /^id: \d+\nevent: (completed|error)\n/.test(block))).toBe(false);

  // The answer takes longer than any stop. A sweep whose minute it is may wait beside it.
  expect(await query(RUNS_OF_TURNS)).toEqual([{ state: "ready", losses: 0, generation: 1 }]);

  await service.start();
  await expect
    .poll(() => query("SELECT status, generation FROM turns"))
    .toEqual([{ status: "running", generation: 2 }]);
  await releaseModel(hold);
  const session = await api.waitUntilDone<{ status: string }>(`/chat/${body.sessionId}`);
  expect(session.status).toBe("completed");
  const books = await readBooks(database.url, accountId);
  expect(books).toMatchObject({ reserved: 0, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0 });
});

async function query(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
