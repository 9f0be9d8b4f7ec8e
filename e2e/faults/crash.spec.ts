import { Client } from "pg";
import { expect, test } from "playwright/test";
import { apiClient, textOfStream } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";

let stage: FaultStage;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  stage = await setFaultStage();
});

test.afterAll(async () => {
  await stage?.close();
});

test("a job whose server is killed in mid-answer is finished after the restart, without doubled text, charge or event", async () => {
  const { api, service, model, account, databaseUrl, receiver } = stage;
  const { body } = await api.post<{ sessionId: string }>("/chat", {
    message: "survive [[size:600]] [[chunk:20]] [[slow:100ms]]",
    callbackUrl: `${receiver.url}/crash`,
  });
  await model.waitForRequests(1);
  await expect.poll(async () => (await readChunks(databaseUrl, body.sessionId)) > 2).toBe(true);
  await service.kill();
  expect((await readBooks(databaseUrl, account.accountId)).reserved).toBe(1);
  await service.start();

  const session = await api.waitUntilDone<{ status: string; lastOutput: string }>(`/chat/${body.sessionId}`);
  expect(session.status).toBe("completed");
  const events = (await api.stream(`/chat/${body.sessionId}/stream`)) ?? [];
  expect(events.filter(({ event }) => event === "reset")).toHaveLength(1);
  expect(textOfStream(events)).toBe(session.lastOutput);
  await receiver.waitForRequests(1);
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({
    reserved: 0,
    doubleCharges: 0,
    wrongTerminals: 0,
    wrongTexts: 0,
    wrongDeliveries: 0,
  });
});

test("jobs go on in a second server when the first is killed", async () => {
  const { api, service, account, databaseUrl } = stage;
  const second = await stage.startSecond();
  const accepted = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      api.post<{ sessionId: string }>("/chat", { message: `job ${index} [[size:200]] [[slow:50ms]]` }),
    ),
  );
  await service.kill();
  await stage.failOver(second);
  const viaSecond = apiClient(second.url, account.apiKey);
  for (const { body } of accepted) {
    const session = await viaSecond.waitUntilDone<{ status: string }>(`/chat/${body.sessionId}`);
    expect(session.status).toBe("completed");
  }
  await service.start();
  const books = await readBooks(databaseUrl, account.accountId);
  expect(books).toMatchObject({ reserved: 0, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0 });
  expect(books.ledger).toBe(books.balance);
});

async function readChunks(databaseUrl: string, sessionId: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM session_events WHERE session_id = $1 AND type = 'chunk'",
      [sessionId],
    );
    return rows[0].n;
  } finally {
    await client.end();
  }
}
