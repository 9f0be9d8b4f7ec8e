import { expect, test } from "playwright/test";
import { register, verifiedEvent } from "@/e2e/api/support/webhook-receiver";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { operate } from "@/e2e/support/operator";
import { suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** In real time, with a short timeout and two server processes on one database. */

const TIMEOUT_SECONDS = 2;

interface Started {
  sessionId: string;
}

interface Timeout {
  sessionId: string;
  timestamp: string;
  lastActivityAt: string;
}

let database: TestDatabase;
let services: TestService[] = [];
let receiver: HttpsReceiver;
let secret: string;
let clients: [ApiClient, ApiClient];

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startHttpsReceiver({ certificates: suite.certificates });
  const options = {
    databaseUrl: database.url,
    modelUrl: suite.variables.OPENAI_BASE_URL ?? "",
    caPem: suite.certificates.caPem,
  };
  const first = await startTestService({ ...options, settings: { SESSION_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) } });
  services = [first];
  const { PORT: _port, APP_URL: _url, DATA_DIR: _dir, ...shared } = first.variables;
  const second = await startTestService({ ...options, settings: shared });
  services.push(second);
  const account = await operate<{ accountId: string; apiKey: string }>(
    first.variables,
    ...["create-account", "--company", "Expiry", "--email", "owner@expiry.test", "--verified"],
  );
  clients = [apiClient(first.url, account.apiKey), apiClient(second.url, account.apiKey)];
  ({ secret } = await register({ account, api: clients[0] }, receiver.url, ["session.timeout"]));
});

test.afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await receiver?.close();
  await database?.drop();
});

const timeouts = () => receiver.requests.map((request) => verifiedEvent(request, secret) as unknown as Timeout);
const timeoutsOf = (sessionId: string) => timeouts().filter((event) => event.sessionId === sessionId);

async function start(api: ApiClient, message: string, more: Record<string, string> = {}): Promise<string> {
  const { body } = await api.post<Started>("/chat", { message, ...more });
  await api.waitUntilDone(`/chat/${body.sessionId}`);
  return body.sessionId;
}

test("each session without activity expires once, with one session.timeout event, in two processes", async () => {
  const sessionIds = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      start(clients[index % 2 === 0 ? 0 : 1], `job ${index}`, { endUserId: "ada" }),
    ),
  );
  await receiver.waitForRequests(10, 20_000);
  // One more, later: both processes have swept again by the time that it expires.
  const last = await start(clients[1], "last");
  await expect.poll(() => timeoutsOf(last).length, { timeout: 20_000 }).toBe(1);
  expect(
    timeouts()
      .map(({ sessionId }) => sessionId)
      .sort(),
  ).toEqual([...sessionIds, last].sort());

  for (const sessionId of sessionIds) {
    const { body } = await clients[0].get<{ status: string; lastActivityAt: string }>(`/chat/${sessionId}`);
    expect(body.status).toBe("expired");
    const [event] = timeoutsOf(sessionId);
    expect(event).toEqual({
      type: "session.timeout",
      sessionId,
      endUserId: "ada",
      templateId: null,
      status: "expired",
      timestamp: expect.any(String),
      lastActivityAt: body.lastActivityAt,
    });
    const idleMs = Date.parse(event?.timestamp ?? "") - Date.parse(event?.lastActivityAt ?? "");
    expect(idleMs).toBeGreaterThanOrEqual(TIMEOUT_SECONDS * 1_000);
    expect(idleMs).toBeLessThan(TIMEOUT_SECONDS * 1_000 + 5_000);
  }
});

test("an expired session keeps its answer: by GET, by stream, as a processing and its download", async () => {
  const sessionId = await start(clients[0], "Hello [[answer:The answer]]");
  const file = new File(["hello"], "a.txt", { type: "text/plain" });
  const processing = await clients[0].upload<Started>("/process", { file, prompt: "x [[answer:The summary]]" });
  const processId = processing.body.sessionId;
  for (const id of [sessionId, processId]) {
    await expect.poll(() => timeoutsOf(id).length, { timeout: 20_000 }).toBe(1);
  }
  const { body } = await clients[1].get(`/chat/${sessionId}`);
  expect(body).toMatchObject({
    status: "expired",
    lastOutput: "The answer",
    messages: [{}, { content: "The answer" }],
  });
  const events = await clients[1].stream(`/chat/${sessionId}/stream`);
  expect(events?.at(0)).toEqual({ event: "status", data: { sessionId, status: "expired" } });
  expect(events?.at(-1)).toMatchObject({ event: "completed", data: { output: "The answer" } });
  const record = await clients[1].get(`/process/${processId}`);
  expect(record.body).toMatchObject({ status: "expired", output: "The summary", outputType: "text" });
  const download = await clients[0].fetch(`/process/${processId}/download`);
  expect([download.status, await download.text()]).toEqual([200, "The summary"]);
  const listed = await clients[0].get<{ data: { id: string }[] }>("/chat/sessions?status=expired&limit=100");
  expect(listed.body.data.map(({ id }) => id)).toEqual(expect.arrayContaining([sessionId, processId]));
});

test("a running turn keeps its session alive; a session that expired is resumed and expires again", async () => {
  // The answer takes longer than the timeout.
  const { body } = await clients[0].post<Started>("/chat", { message: "long [[size:60]] [[chunk:10]] [[slow:800ms]]" });
  const session = await clients[0].waitUntilDone<{ status: string }>(`/chat/${body.sessionId}`);
  expect(session.status).toBe("completed");
  expect(timeoutsOf(body.sessionId)).toEqual([]);
  await expect.poll(() => timeoutsOf(body.sessionId).length, { timeout: 20_000 }).toBe(1);

  const resumed = await clients[1].post("/chat", { message: "Again", sessionId: body.sessionId });
  expect(resumed.body).toMatchObject({ sessionId: body.sessionId, status: "resumed" });
  await expect.poll(() => timeoutsOf(body.sessionId).length, { timeout: 20_000 }).toBe(2);
  const [first, second] = timeoutsOf(body.sessionId);
  expect(Date.parse(second?.lastActivityAt ?? "")).toBeGreaterThan(Date.parse(first?.timestamp ?? ""));
});

test("what fell due while no server ran expires once after the restart", async () => {
  const sessionIds = await Promise.all(Array.from({ length: 6 }, (_, index) => start(clients[0], `late ${index}`)));
  await Promise.all(services.map((service) => service.kill()));
  await Promise.all(services.map((service) => service.start()));
  const counts = () => sessionIds.map((id) => timeoutsOf(id).length);
  await expect.poll(counts, { timeout: 30_000 }).toEqual(sessionIds.map(() => 1));
  const last = await start(clients[1], "last of all");
  await expect.poll(() => timeoutsOf(last).length, { timeout: 20_000 }).toBe(1);
  expect(counts()).toEqual(sessionIds.map(() => 1));
});
