import { Client } from "pg";
import { expect, test } from "playwright/test";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";

let stage: FaultStage;

test.beforeAll(async () => {
  // No sweep lends a hand.
  stage = await setFaultStage({ TURN_STALE_SECONDS: "600" });
});

test.afterAll(async () => {
  await stage?.close();
});

test("a server that is told to stop lets the answer under way end, whichever engine asked for it; a longer one is made by the next", async () => {
  const { api, service, account, databaseUrl } = stage;
  const send = async (size: number) => {
    const message = `stop [[size:${size}]] [[chunk:10]] [[slow:100ms]]`;
    const { body } = await api.post<{ sessionId: string }>("/chat", { message });
    return body.sessionId;
  };
  // Three seconds, which is more than calls of clients are given; and fifteen, which is more than any stop takes.
  const [short, long] = await Promise.all([send(300), send(1500)]);
  await expect.poll(() => readTurns(databaseUrl, "hasText")).toMatchObject({ [short]: true, [long]: true });
  expect(await service.stop()).toBe(0);
  expect(await readTurns(databaseUrl, "status")).toEqual({ [short]: "completed", [long]: "running" });

  await service.start();
  await api.waitUntilDone(`/chat/${long}`);
  expect(await readTurns(databaseUrl, "status")).toEqual({ [short]: "completed", [long]: "completed" });
  expect(await readTurns(databaseUrl, "generation")).toEqual({ [short]: 1, [long]: 2 });
  const books = await readBooks(databaseUrl, account.accountId);
  expect(books).toMatchObject({ reserved: 0, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0 });
});

type Told = "status" | "generation" | "hasText";

/** By the session of each. */
async function readTurns(databaseUrl: string, told: Told): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ sessionId: string } & Record<Told, unknown>>(
      `SELECT session_id AS "sessionId", status, generation, EXISTS (
         SELECT FROM session_events e WHERE e.turn_id = t.id AND e.type = 'chunk') AS "hasText" FROM turns t`,
    );
    return Object.fromEntries(rows.map((row) => [row.sessionId, row[told]]));
  } finally {
    await client.end();
  }
}
