import { expect, test } from "playwright/test";
import { textOfStream } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";

/** With a fallback in the settings, an outage of the model's provider is none of the service's (docs/decisions/0045). */

interface Session {
  status: string;
  creditsUsed: number;
  lastOutput: string;
  context: { model: string };
}

let other: ModelServer;
let stage: FaultStage;

test.beforeAll(async () => {
  other = await startModelServer();
  stage = await setFaultStage({ FALLBACK_BASE_URL: other.baseUrl, FALLBACK_MODEL: "stand-in" });
});

test.afterAll(async () => {
  await stage?.close();
  await other?.stop();
});

test("an answer that the provider's end cuts short comes whole from the fallback, is told and charged once, and so do all after it", async () => {
  const { account, api, databaseUrl, model, receiver } = stage;
  const { body } = await api.post<{ sessionId: string }>("/chat", {
    message: "[[hold:outage]] [[chunk:8]] [[answer:Said from its beginning to its end]]",
    callbackUrl: `${receiver.url}/away`,
  });
  const path = `/chat/${body.sessionId}`;
  await untilFirstChunk(await api.fetch(`${path}/stream`));
  const released = await fetch(new URL("/release/outage", other.baseUrl), { method: "POST" });
  expect(released.ok).toBe(true);
  await model.stop();

  const session = await api.waitUntilDone<Session>(path);
  expect(session).toMatchObject({ status: "completed", creditsUsed: 1, context: { model: "stand-in" } });
  expect(session.lastOutput).toBe("Said from its beginning to its end");
  const events = (await api.stream(`${path}/stream`)) ?? [];
  expect(events.filter(({ event }) => event === "reset")).toHaveLength(1);
  expect(textOfStream(events)).toBe(session.lastOutput);
  await receiver.waitForRequests(1, 30_000);

  for (let i = 0; i < 5; i++) {
    const next = await api.post<{ sessionId: string }>("/chat", { message: `Next ${i}` });
    expect(await api.waitUntilDone<Session>(`/chat/${next.body.sessionId}`)).toMatchObject({
      status: "completed",
      lastOutput: `Echo: Next ${i}`,
      context: { model: "stand-in" },
    });
  }
  expect(receiver.requests).toHaveLength(1);
  expect(stage.service.log().match(/the fallback is asked first/g)).toHaveLength(1);
  const books = await readBooks(databaseUrl, account.accountId);
  expect(books).toMatchObject({
    balance: 100_000 - 6,
    reserved: 0,
    doubleCharges: 0,
    wrongTerminals: 0,
    wrongTexts: 0,
    wrongDeliveries: 0,
  });
  expect(books.ledger).toBe(books.balance);
});

/** Reads a stream until an answer's first words came, and lets it go. */
async function untilFirstChunk(stream: Response): Promise<void> {
  const texts = stream.body?.pipeThrough(new TextDecoderStream());
  let heard = "";
  for await (const text of texts ?? []) {
    heard += text;
    if (heard.includes("event: chunk")) return;
  }
  throw new Error(`The stream ended without a word: ${heard}`);
}
