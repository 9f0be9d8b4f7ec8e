import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { newCaller } from "@/e2e/support/suite";

/** The schedule of the suite's settings is over after three tries (docs/decisions/0046). */

test("a file waits for the provider's limit to pass, where a chat that nobody is told of ends", async () => {
  const { api } = await newCaller();
  const [file, chat] = [randomUUID(), randomUUID()];
  const { sessionId } = await startProcessing(api, textFile(), { prompt: `${file} [[fail:429:3]] [[answer:Read]]` });
  const said = await api.post<{ sessionId: string }>("/chat", { message: `${chat} [[fail:429:3]]` });

  expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({
    status: "completed",
    output: "Read",
    creditsUsed: 1,
  });
  expect(await api.waitUntilDone(`/chat/${said.body.sessionId}`)).toMatchObject({
    status: "failed",
    error: { code: "MODEL_RATE_LIMITED" },
  });
  expect((await modelRequestsWith(file)).length).toBe(4);
  expect((await modelRequestsWith(chat)).length).toBe(3);
});

test("a turn that waits for the limit to pass can be canceled, and costs nothing", async () => {
  const { api } = await newCaller();
  const marker = randomUUID();
  const { sessionId } = await startProcessing(api, textFile(), { prompt: `${marker} [[fail:429:9:60]]` });
  await expect.poll(async () => (await modelRequestsWith(marker)).length).toBe(1);
  expect((await api.post(`/process/${sessionId}/cancel`, {})).status).toBe(200);
  expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "canceled", creditsUsed: 0 });
});
