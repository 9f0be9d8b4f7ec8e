import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { type StartedProcess, startProcessing, textFile } from "@/e2e/api/support/start-processing";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";

/** How many turns of an account are answered at once (start-service.ts). */
const PLACES = 16;

/** Places that become free, fewer than files wait: of a real Inngest some go to files that it was looking at when the others came. */
const freedPlaces = () => (test.info().project.name === "inngest" ? 4 : 1);

/** For longer than the test takes, and never silent for so long that the model is given up. */
const WITHOUT_END = "[[slow:500ms]] [[size:8000]]";

async function sendBatch(api: ApiClient, prompt: string, files: number): Promise<string[]> {
  const file = Array.from({ length: files }, (_, index) => textFile(`Text ${index}`, `file-${index}.txt`));
  const { status, body } = await api.upload<StartedProcess[]>("/process/batch", { prompt, file });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.map(({ sessionId }) => sessionId);
}

async function cancel(api: ApiClient, sessionIds: string[]): Promise<void> {
  for (const id of sessionIds) expect((await api.post(`/process/${id}/cancel`, {})).status).toBe(200);
}

/** Takes every place of the account. */
async function takeAllPlaces(api: ApiClient): Promise<string[]> {
  const marker = randomUUID();
  const running = await sendBatch(api, `Many ${marker} ${WITHOUT_END}`, PLACES);
  await expect.poll(async () => (await modelRequestsWith(marker)).length).toBe(PLACES);
  return running;
}

test.describe("while many files of an account wait for a place", () => {
  test("a chat gets the next one, and a single file the one after it", async () => {
    const { api } = await newCaller();
    const running = await takeAllPlaces(api);
    const marker = randomUUID();
    const waiting = await sendBatch(api, `Waiting ${marker} ${WITHOUT_END}`, 5);
    const single = await startProcessing(api, textFile(), { prompt: "Single [[answer:Seen]]" });
    const chat = await api.post<{ sessionId: string }>("/chat", { message: "Hello [[answer:Here]]" });
    expect(chat.status).toBe(202);

    const freed = freedPlaces();
    const isDone = async (path: string) => (await api.get<{ status: string }>(path)).body.status === "completed";
    const others = [`/chat/${chat.body.sessionId}`, `/process/${single.sessionId}`];
    const taken = async () =>
      (await modelRequestsWith(marker)).length + (await Promise.all(others.map(isDone))).filter(Boolean).length;
    for (const id of running.slice(0, freed)) {
      // One by one: several at once may all go to what one look at the queue had found.
      const before = await taken();
      await cancel(api, [id]);
      await expect.poll(taken).toBeGreaterThan(before);
    }
    expect(await api.waitUntilDone(`/chat/${chat.body.sessionId}`)).toMatchObject({ status: "completed" });
    expect(await api.waitUntilDone(`/process/${single.sessionId}`)).toMatchObject({ status: "completed" });
    // Nothing of higher priority waits: now it is their turn.
    await expect.poll(async () => (await modelRequestsWith(marker)).length).toBe(freed);

    await cancel(api, [...running.slice(freed), ...waiting]);
  });
});
