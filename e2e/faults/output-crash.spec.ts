import { expect, test } from "playwright/test";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";

let stage: FaultStage;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  stage = await setFaultStage({ VIDEO_POLL_SECONDS: "1" });
});

test.afterAll(async () => {
  await stage?.close();
});

const order = (tool: string, args: object) => `[[tool:${tool} ${JSON.stringify(args)}]]`;

test("a video whose server is killed while it is made is asked after on the restart: one job, one charge", async () => {
  const { api, service, model, account, databaseUrl } = stage;
  const message = order("create_video", { prompt: "a wave ((questions:4))" });
  const { body } = await api.post<{ sessionId: string }>("/chat", { message });
  const questions = () => model.journal.filter(({ path }) => path.startsWith("/v1/videos/")).length;
  await expect.poll(questions, { timeout: 60_000 }).toBeGreaterThan(1);
  await service.kill();
  expect((await readBooks(databaseUrl, account.accountId)).reserved).toBe(41);
  await service.start();

  const session = await api.waitUntilDone<{ status: string; outputType: string; creditsUsed: number }>(
    `/chat/${body.sessionId}`,
  );
  expect(session).toMatchObject({ status: "completed", outputType: "video", creditsUsed: 41 });
  expect(model.journal.filter(({ path }) => path === "/v1/videos")).toHaveLength(1);
  expect(model.journal.filter(({ path }) => path === "/v1/chat/completions")).toHaveLength(1);
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({
    reserved: 0,
    doubleCharges: 0,
    wrongTerminals: 0,
    wrongTexts: 0,
  });
});

test("speech whose server is killed while the bytes come is made on the restart: the model is asked once, one charge", async () => {
  const { api, service, model, account, databaseUrl } = stage;
  model.journal.length = 0;
  const message = order("create_speech", { text: "Good evening ((slow:1500ms))" });
  const { body } = await api.post<{ sessionId: string }>("/chat", { message });
  await model.waitForRequests(2, 60_000);
  await service.kill();
  await service.start();

  const session = await api.waitUntilDone<{ status: string; outputType: string; creditsUsed: number }>(
    `/chat/${body.sessionId}`,
  );
  expect(session).toMatchObject({ status: "completed", outputType: "audio", creditsUsed: 2 });
  expect(model.journal.filter(({ path }) => path === "/v1/chat/completions")).toHaveLength(1);
  const keys = model.journal
    .filter(({ path }) => path === "/v1/audio/speech")
    .map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(1);
  expect(await readBooks(databaseUrl, account.accountId)).toMatchObject({
    reserved: 0,
    doubleCharges: 0,
    wrongTexts: 0,
  });
});
