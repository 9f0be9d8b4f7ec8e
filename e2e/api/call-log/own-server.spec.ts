import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, test } from "playwright/test";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { operate } from "@/e2e/support/operator";
import { suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { freePort } from "@/scripts/support/free-port";

/** A server behind one trusted proxy, with its whole log, that may be stopped. */

interface OwnAccount {
  accountId: string;
  apiKey: string;
}

interface Row {
  status: number;
  ip: string | null;
  endpoint: string;
}

let database: TestDatabase;
let service: TestService;
let account: OwnAccount;
let api: ApiClient;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({
    databaseUrl: database.url,
    modelUrl: suite.modelUrl,
    settings: { TRUSTED_PROXY_HOPS: "1", LOG_LEVEL: "debug", WEBHOOK_RETRY_DELAYS_SECONDS: "1" },
  });
  const flags = [
    "--company",
    "Logs",
    "--email",
    "owner@logs.test",
    "--verified",
    "--plan",
    "scale",
    "--credits",
    "1000",
  ];
  account = await operate<OwnAccount>(service.variables, "create-account", ...flags);
  api = apiClient(service.url, account.apiKey);
});

test.afterAll(async () => {
  await service?.close();
  await database?.drop();
});

async function query<Result extends object>(text: string, values: unknown[] = []): Promise<Result[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Result>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const rowsOf = (userAgent: string) =>
  query<Row>("SELECT status, ip, endpoint FROM call_logs WHERE user_agent = $1 ORDER BY created_at, id", [userAgent]);

test("with one trusted proxy the origin is what that proxy wrote, and nothing before it", async () => {
  const userAgent = `hops-${randomUUID()}`;
  const forwarded = ["203.0.113.7", "10.0.0.1, 198.51.100.4", "1.1.1.1, [2001:db8::5]:4711", "not an address"];
  for (const value of forwarded) await api.get("/account", { "x-forwarded-for": value, "user-agent": userAgent });
  await api.get("/account", { "user-agent": userAgent });
  await expect.poll(async () => (await rowsOf(userAgent)).length).toBe(5);
  expect((await rowsOf(userAgent)).map(({ ip }) => ip)).toEqual([
    "203.0.113.7",
    "198.51.100.4",
    "2001:db8::5",
    "127.0.0.1",
    "127.0.0.1",
  ]);
});

test("neither rows nor the server's log hold a key or a word of what was said", async () => {
  const canary = `canary${randomUUID().replaceAll("-", "")}`;
  const { keyId, apiKey: otherKey } = await operate<{ keyId: string; apiKey: string }>(
    service.variables,
    ...["create-key", "--account", account.accountId],
  );
  const agent = { "user-agent": `agent ${account.apiKey} Bearer ${canary}` };
  const chat = await api.post<{ sessionId: string }>(
    "/chat",
    { message: `${canary} [[answer:${canary}]]`, fileContent: canary },
    agent,
  );
  const failing = await api.post<{ sessionId: string }>("/chat", { message: `${canary} [[fail:400]]` }, agent);
  const file = new File([canary], `${canary}.txt`, { type: "text/plain" });
  const process = await api.upload<{ sessionId: string }>("/process", { file, prompt: canary });
  for (const { body } of [chat, failing, process]) await api.waitUntilDone(`/chat/${body.sessionId}`);
  await api.post("/chat", `{"message": "${canary}`, agent);
  await api.post("/chat", { [canary]: canary, templateVars: { [canary]: { a: canary } } });
  await api.post("/chat", { message: canary, templateId: canary, sessionId: canary });
  await api.get(`/chat/${canary}?endUserId=..${canary}&${canary}=1`);
  await api.get(`/usage?from=${canary}`);
  await api.fetch("/chat", { method: "POST", headers: { "content-type": `text/${canary}` }, body: canary });
  await api.post("/chat", { message: "Hi" }, { "idempotency-key": `${canary}\u00e9` });
  await api.post("/templates", { name: canary, promptTemplate: canary });
  await apiClient(service.url, `${otherKey.slice(0, -1)}!`).get("/account");
  await operate(service.variables, "revoke-key", "--key", keyId);
  await apiClient(service.url, otherKey).get("/account", { authorization: `Bearer ${otherKey}` });
  const isThere = () => query("SELECT 1 FROM call_logs WHERE api_key_id = $1", [keyId]);
  await expect.poll(async () => (await isThere()).length).toBe(1);

  const rows = await query<{ row: string }>("SELECT to_jsonb(c)::text AS row FROM call_logs c");
  expect(rows.length).toBeGreaterThan(12);
  for (const text of [...rows.map(({ row }) => row), service.log()]) {
    for (const secret of [canary, account.apiKey, account.apiKey.slice(4), otherKey.slice(4)]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(service.log()).toContain('"message":"POST /chat 202"');
});

test("one request id leads from a call to its turn's failure and to its deliveries'", async () => {
  const nowhere = `https://localhost:${await freePort()}/hook`;
  const { headers, body } = await api.post<{ sessionId: string }>("/chat", {
    message: "Hi [[fail:400]]",
    callbackUrl: nowhere,
  });
  const requestId = headers.get("x-request-id");
  const linesOf = () =>
    service
      .log()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.requestId === requestId);
  await expect.poll(() => linesOf().length, { timeout: 20_000 }).toBe(4);
  const [call, turn, firstAttempt, lastAttempt] = linesOf();
  expect(call).toMatchObject({ level: "debug", message: "POST /chat 202" });
  const { sessionId } = body;
  expect(turn).toMatchObject({ level: "warn", message: "A turn failed.", sessionId, code: "MODEL_REJECTED" });
  const delivery = { sessionId, turnId: turn?.turnId, deliveryId: expect.stringMatching(/^dlv_/) };
  expect(firstAttempt).toMatchObject({ level: "info", ...delivery, attempt: 1, outcome: "CONNECTION_FAILED" });
  expect(lastAttempt).toMatchObject({ level: "warn", ...delivery, attempt: 2, outcome: "CONNECTION_FAILED" });
  expect(service.log()).not.toContain(nowhere);
});

test("a graceful stop right after 50 calls keeps all 50 rows", async () => {
  const userAgent = `stop-${randomUUID()}`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      index % 5 === 0
        ? api.post("/chat", { message: "" }, { "user-agent": userAgent })
        : api.get(index % 2 ? "/account" : "/chat/sessions?limit=0", { "user-agent": userAgent }),
    ),
  );
  // Nothing is under way that would hold up the stop: it comes before the rows' own time.
  await service.stop();
  const rows = await rowsOf(userAgent);
  const statusesOf = (list: { status: number }[]) => list.map(({ status }) => status).sort();
  expect(rows).toHaveLength(50);
  expect(statusesOf(rows)).toEqual(statusesOf(answers));
});
