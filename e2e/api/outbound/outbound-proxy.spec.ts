import { expect, test } from "playwright/test";
import { apiClient } from "@/e2e/support/api-client";
import { type ForwardProxy, startForwardProxy } from "@/e2e/support/forward-proxy";
import { operate } from "@/e2e/support/operator";
import { suite } from "@/e2e/support/suite";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** A server in a network that lets nothing out but by its proxy, which alone finds the model's name. */

let database: TestDatabase;
let proxy: ForwardProxy;
let service: TestService;
let modelUrl: string;

test.beforeAll(async () => {
  [database, proxy] = await Promise.all([createTestDatabase(), startForwardProxy()]);
  modelUrl = suite.modelUrl.replace("127.0.0.1", "model.invalid");
  // As many shells have it, and without a word on what is on this machine.
  const settings = { http_proxy: proxy.url, https_proxy: proxy.url };
  service = await startTestService({ databaseUrl: database.url, modelUrl, settings });
});

test.afterAll(async () => {
  await service?.close();
  await proxy?.stop();
  await database?.drop();
});

test("a model is asked by way of the network's proxy, and nothing on this machine is", async () => {
  const { apiKey } = await operate<{ apiKey: string }>(
    service.variables,
    ...["create-account", "--company", "Inside", "--email", "owner@inside.test", "--verified", "--credits", "1000"],
  );
  const api = apiClient(service.url, apiKey);
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "[[answer:Let out]]" });
  expect(await api.waitUntilDone(`/chat/${body.sessionId}`)).toMatchObject({
    status: "completed",
    lastOutput: "Let out",
  });
  expect(proxy.asked.map(({ what }) => what)).toEqual([`POST ${modelUrl}/chat/completions`]);
});
