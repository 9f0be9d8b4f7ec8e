import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { textFile } from "@/e2e/api/support/start-processing";
import { type ApiClient, apiClient } from "@/e2e/support/api-client";
import { operate } from "@/e2e/support/operator";
import { suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";
import { freePort } from "@/scripts/support/free-port";

/** A server with a full disk, two streams for a key, metrics, and an address that begins with https. */

const STRICT_TRANSPORT = "max-age=31536000";

let database: TestDatabase;
let service: TestService;
let api: ApiClient;
let metricsPort: number;

test.beforeAll(async () => {
  // Of its own, so that no other process does its work.
  database = await createTestDatabase();
  metricsPort = await freePort();
  service = await startTestService({
    databaseUrl: database.url,
    modelUrl: suite.modelUrl,
    // More than any disk has free.
    settings: {
      APP_URL: "https://service.test",
      METRICS_PORT: String(metricsPort),
      STREAMS_PER_KEY: "2",
      MIN_FREE_DISK_MB: "1000000000",
      // A model that is waited for keeps streams open for as long as a test takes.
      MODEL_IDLE_TIMEOUT_SECONDS: "600",
    },
  });
  const { apiKey } = await operate<{ apiKey: string }>(
    service.variables,
    ...["create-account", "--company", "Caps", "--email", "owner@caps.test", "--verified", "--credits", "1000"],
  );
  api = apiClient(service.url, apiKey);
});

test.afterAll(async () => {
  await service?.close();
  await database?.drop();
});

test("an upload to a disk without room is a 503 that leaves nothing behind", async () => {
  const answer = await api.upload("/process", { file: textFile(), prompt: "Sum up" });
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE", retryable: true } });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  const kept = await readdir(join(service.dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []);
  expect(kept.filter((entry) => entry.isFile())).toEqual([]);
  expect((await api.get<{ data: unknown[] }>("/process")).body.data).toEqual([]);
});

test("a key's third stream at once is a 429, and there is a place again when one ends", async () => {
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: `Wait [[hold:${randomUUID()}]]` });
  const open = () => api.fetch(`/chat/${body.sessionId}/stream`);
  const [first, second] = [await open(), await open()];
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await open();
  expect(third.status).toBe(429);
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await third.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
  await first.body?.cancel();
  await expect
    .poll(async () => {
      const next = await open();
      await next.body?.cancel();
      return next.status;
    })
    .toBe(200);
  await second.body?.cancel();
  await api.post(`/chat/${body.sessionId}/cancel`, {});
});

test("metrics of API, background work and model are in one place, on their own port alone", async () => {
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hi" });
  await api.waitUntilDone(`/chat/${body.sessionId}`);
  const stream = await api.fetch(`/chat/${body.sessionId}/stream`);
  await stream.text();
  const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const call = 'service_http_requests_total{method="POST",route="/api/v1/chat",status="202"} ';
  // Counted where the lane serves calls, where the queue calls back, and where Next started the process: one registry.
  await expect.poll(figures).toMatch(/^service_turns_ended_total\{outcome="completed",code="none"\} [1-9]/m);
  const text = await figures();
  expect(text).toContain(call);
  for (const figure of [
    /^service_turns_accepted_total [1-9]/m,
    /^service_turn_queue_wait_seconds_count [1-9]/m,
    /^service_model_call_duration_seconds_count\{kind="answer",outcome="ok"\} [1-9]/m,
    /^service_model_tokens_total\{direction="out"\} [1-9]/m,
    /^service_streams_open 0$/m,
    /^service_database_up 1$/m,
    /^service_pool_connections\{pool="main",state="idle"\} \d/m,
    /^service_pool_connections\{pool="runner",state="idle"\} [1-9]/m,
    /^service_pool_connections\{pool="runner",state="waiting"\} \d/m,
    /^process_cpu_seconds_total \d/m,
  ]) {
    expect(text).toMatch(figure);
  }
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

test("answers and pages ask browsers to stay with https", async () => {
  const files = ["/panel/sessions/x/files/y", "/panel/end-users/exports/x", "/panel/settings/company/exports/x"];
  for (const path of ["/api/v1/health", "/api/v1/account", "/api/v1/nothing", "/panel/sign-in", ...files]) {
    const response = await fetch(service.url + path);
    expect(response.headers.get("strict-transport-security"), path).toBe(STRICT_TRANSPORT);
  }
  expect((await fetch(`${suite.url}/api/v1/health`)).headers.has("strict-transport-security")).toBe(false);
});
