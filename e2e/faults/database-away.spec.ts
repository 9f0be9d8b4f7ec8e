import { expect, test } from "playwright/test";
import type { ErrorBody } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { type FaultStage, setFaultStage } from "@/e2e/support/fault-stage";

let stage: FaultStage;

test.beforeAll(async () => {
  stage = await setFaultStage();
});

test.afterAll(async () => {
  await stage?.close();
});

test("without the database every call is a 503 that accepts nothing; with it again, work goes on without a restart", async () => {
  const { api, service, cluster, account, databaseUrl, receiver } = stage;
  const running = await api.post<{ sessionId: string }>("/chat", {
    message: "keep going [[size:400]] [[chunk:10]] [[slow:50ms]]",
    callbackUrl: `${receiver.url}/away`,
  });
  await stage.model.waitForRequests(1);
  const before = await readBooks(databaseUrl, account.accountId);
  await cluster.kill();

  for (const call of [
    () => api.post<ErrorBody>("/chat", { message: "lost?" }),
    () => api.get<ErrorBody>(`/chat/${running.body.sessionId}`),
    () => api.upload<ErrorBody>("/process", { file: new File(["text"], "a.txt"), prompt: "x" }),
  ]) {
    const { status, headers, body } = await call();
    expect(status).toBe(503);
    expect(body.error.code).toBe("SERVICE_UNAVAILABLE");
    expect(body.error.retryable).toBe(true);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }

  const pid = service.pid();
  await cluster.restart();
  await expect
    .poll(async () => (await api.get(`/chat/${running.body.sessionId}`)).status, { timeout: 15_000 })
    .toBe(200);
  const session = await api.waitUntilDone<{ status: string }>(`/chat/${running.body.sessionId}`);
  expect(session.status).toBe("completed");
  await receiver.waitForRequests(1, 30_000);
  expect(service.pid()).toBe(pid);

  const next = await api.post<{ sessionId: string }>("/chat", { message: "and now" });
  expect(next.status).toBe(202);
  expect((await api.waitUntilDone<{ status: string }>(`/chat/${next.body.sessionId}`)).status).toBe("completed");
  const books = await readBooks(databaseUrl, account.accountId);
  expect(Object.values(books.turns).reduce((sum, n) => sum + n, 0)).toBe(
    Object.values(before.turns).reduce((sum, n) => sum + n, 0) + 1,
  );
  expect(books).toMatchObject({ reserved: 0, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0, wrongDeliveries: 0 });
  expect(books.ledger).toBe(books.balance);
});
