import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { type StartedProcess, textFile } from "@/e2e/api/support/start-processing";
import { newCaller } from "@/e2e/support/suite";
import { db } from "@/lib/db/pool";

/** Enough for their model's pace to begin (docs/decisions/0052). */
const FILES = 12;

/** A model of the test's own: what its provider refuses holds nobody else's files back. */
async function sendLimited(orders: string) {
  const { api, account } = await newCaller();
  const marker = randomUUID();
  await db().query("UPDATE projects SET model = $2 WHERE id = $1", [account.projectId, `gpt-4.1-mini-${marker}`]);
  const file = Array.from({ length: FILES }, (_, index) => textFile(`Text ${index}`, `file-${index}.txt`));
  const prompt = `${marker} ${orders}`;
  const { status, body } = await api.upload<StartedProcess[]>("/process/batch", { prompt, file });
  expect(status, JSON.stringify(body)).toBe(202);
  return { api, marker, sessionIds: body.map(({ sessionId }) => sessionId) };
}

test("each file of a batch that a provider's limit refuses is answered in the end, and paid for once", async () => {
  const { api, marker, sessionIds } = await sendLimited("[[fail:429:1]] [[answer:Read]]");
  for (const id of sessionIds) {
    expect(await api.waitUntilDone(`/process/${id}`)).toMatchObject({
      ...{ status: "completed", output: "Read", creditsUsed: 1 },
    });
  }
  expect(await modelRequestsWith(marker)).toHaveLength(2 * FILES);
});

test("files that wait for their turn at a model can be canceled, and cost nothing", async () => {
  const { api, marker, sessionIds } = await sendLimited("[[fail:429]]");
  await expect.poll(async () => (await modelRequestsWith(marker)).length).toBeGreaterThan(4);
  for (const id of sessionIds) expect((await api.post(`/process/${id}/cancel`, {})).status).toBe(200);
  for (const id of sessionIds) {
    expect(await api.waitUntilDone(`/process/${id}`)).toMatchObject({ status: "canceled", creditsUsed: 0 });
  }
});
