import { Client } from "pg";
import { expect, test } from "playwright/test";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";

let stage: FaultStage;

test.beforeAll(async () => {
  stage = await setFaultStage();
});

test.afterAll(async () => {
  await stage?.close();
});

const KEYS = 60;

test("keyed calls whose server is killed among them start once each when they are sent again", async () => {
  const { api, service, account, databaseUrl } = stage;
  const send = (index: number) =>
    api
      .post<{ sessionId: string }>(
        "/chat",
        { message: `job ${index} [[answer:ok]]` },
        { "idempotency-key": `key-${index}` },
      )
      .then(({ status, body }) => (status === 202 ? body.sessionId : null))
      .catch(() => null);
  const answered = Array.from({ length: KEYS }, (_, index) => send(index));
  await Promise.race(answered);
  await service.kill();
  const before = await Promise.all(answered);
  await service.start();
  // The keys of calls that died before they started anything come free with their lease; here at once.
  await run(databaseUrl, "UPDATE idempotency_keys SET locked_until = now() WHERE state = 'running'");

  const after = await Promise.all(Array.from({ length: KEYS }, (_, index) => send(index)));
  expect(after).not.toContain(null);
  for (const [index, sessionId] of before.entries()) if (sessionId) expect(after[index]).toBe(sessionId);
  expect(new Set(after).size).toBe(KEYS);
  expect(await run(databaseUrl, "SELECT count(*)::int AS n FROM sessions")).toEqual([{ n: KEYS }]);
  for (const sessionId of after) await api.waitUntilDone(`/chat/${sessionId}`);
  const books = await readBooks(databaseUrl, account.accountId);
  expect(books).toMatchObject({ reserved: 0, turns: { completed: KEYS }, doubleCharges: 0, wrongTerminals: 0 });
});

async function run(databaseUrl: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
