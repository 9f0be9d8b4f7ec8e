import { Client } from "pg";
import { expect, test } from "playwright/test";
import { textOfStream } from "@/e2e/support/api-client";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";
import { breakSlowBodies, openSlowBodies } from "@/e2e/support/slow-bodies";

const STREAMS = 60;
const BODIES = 40;

let stage: FaultStage;

test.beforeAll(async () => {
  // The model is held for as long as the test takes.
  stage = await setFaultStage({ MODEL_IDLE_TIMEOUT_SECONDS: "120" });
});

test.afterAll(async () => {
  await stage?.close();
});

test("streams that wait and uploads that hardly go on hold nobody up; those that break off leave nothing, also before a store's first file", async () => {
  const { api, service, account, model, databaseUrl } = stage;
  const { body: waiting } = await api.post<{ sessionId: string }>("/chat", {
    message: "[[hold:slow-clients]] [[answer:At last.]]",
  });
  await model.waitForRequests(1);
  const streams = Array.from({ length: STREAMS }, () => api.stream(`/chat/${waiting.sessionId}/stream`));
  await openSlowBodies({ origin: service.url, apiKey: account.apiKey, count: BODIES, everyMs: 50 });
  const begun = () => countUploads(databaseUrl);
  await expect.poll(begun, { message: "the server took them on" }).toBe(BODIES);

  const { body: quick } = await api.post<{ sessionId: string }>("/chat", { message: "Quick. [[answer:Here.]]" });
  expect(await api.waitUntilDone(`/chat/${quick.sessionId}`)).toMatchObject({ status: "completed" });
  expect((await api.get("/health")).status).toBe(200);
  expect(await breakSlowBodies(), "none was cut off by the server").toBe(BODIES);
  await expect.poll(begun).toBe(0);

  await fetch(new URL("/release/slow-clients", model.baseUrl), { method: "POST" });
  for (const stream of streams) expect(textOfStream((await stream) ?? [])).toBe("At last.");
});

async function countUploads(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM pending_uploads");
  await client.end();
  return rows[0]?.count ?? 0;
}
