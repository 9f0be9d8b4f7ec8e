import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { readCredits } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { testRefusals } from "@/e2e/api/support/refusals";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import type { ApiClient } from "@/e2e/support/api-client";
import { readBooks } from "@/e2e/support/books";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

/** (beyond) A backend deletes what its users want deleted, without anybody at the panel. */

const KINDS = ["chat", "process"] as const;

async function remove(api: ApiClient, sessionId: string, kind: (typeof KINDS)[number] = "chat", body?: object) {
  const json = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await api.fetch(`/${kind}/${sessionId}/delete`, { method: "POST", ...json });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** A file of an end user that is processed to its end. */
async function processed(api: ApiClient, more: Record<string, string> = {}) {
  const started = await startProcessing(api, textFile(), { prompt: "Read [[answer:Done]]", ...more });
  await api.waitUntilDone(`/process/${started.sessionId}`);
  return started;
}

for (const kind of KINDS) {
  const name = kind === "chat" ? "POST /chat/:sessionId/delete" : "POST /process/:id/delete";

  test.describe(`${name} 200`, () => {
    test("leaves nothing to be read, lists it no more, and keeps what was charged", async () => {
      const { account, api } = await newCaller();
      const { sessionId, fileUrl } = await processed(api);
      const kept = await processed(api);
      expect((await fetch(fileUrl)).status).toBe(200);
      const { status, headers, body } = await remove(api, sessionId, kind);
      expect(status).toBe(200);
      expectCommonHeaders(headers);
      expect(body).toEqual({ sessionId, deleted: true });
      for (const path of [`/process/${sessionId}`, `/chat/${sessionId}`, `/chat/${sessionId}/stream`]) {
        expectError(await api.get(path), "NOT_FOUND");
      }
      expect((await fetch(fileUrl)).status).toBe(404);
      const { body: list } = await api.get<{ data: { sessionId: string }[] }>("/process");
      expect(list.data.map((item) => item.sessionId)).toEqual([kept.sessionId]);
      expect((await fetch(kept.fileUrl)).status).toBe(200);
      const left = { where: { sessionId } };
      expect(await prisma().turn.count(left)).toBe(0);
      expect(await prisma().storedFile.count(left)).toBe(0);
      expect(await readCredits(account)).toMatchObject({ reserved: 0, charges: 2 });
      expectError(await remove(api, sessionId, kind), "NOT_FOUND");
      expectError(await api.post("/chat", { message: "Go on", sessionId }), "NOT_FOUND");
    });

    test("stops what runs, which costs nothing, and tells nobody", async () => {
      const { account, api } = await newCaller();
      const marker = randomUUID();
      const callbackUrl = "https://client.example/hook";
      const fields = { prompt: `${marker} [[stall]]`, callbackUrl };
      const { sessionId } = await startProcessing(api, textFile(), fields);
      await expect.poll(async () => (await modelRequestsWith(marker))[0]?.outcome).toBe("open");
      expect((await remove(api, sessionId, kind)).status).toBe(200);
      await expect.poll(async () => (await modelRequestsWith(marker))[0]?.outcome).toBe("closed");
      const books = await readBooks(suite.variables.DATABASE_URL ?? "", account.accountId);
      expect(books).toMatchObject({ reserved: 0, balance: 1_000, ledger: 1_000 });
      expect(await prisma().webhookDelivery.count({ where: { projectId: account.projectId } })).toBe(0);
      await expectNothingLeft(account);
    });

    test("is for its end user alone where one is named", async () => {
      const { api } = await newCaller();
      const { sessionId } = await processed(api, { endUserId: "ada" });
      expectError(await remove(api, sessionId, kind, { endUserId: "bob" }), "NOT_FOUND");
      expect((await remove(api, sessionId, kind, { endUserId: "ada" })).status).toBe(200);
    });
  });

  test.describe(`${name} refuses`, () => {
    testRefusals({ path: `/${kind}/${newId("session")}/delete`, permission: kind });

    test("404 what is missing, foreign and malformed alike, and leaves it whole", async () => {
      const [mine, theirs] = await Promise.all([newCaller(), newCaller()]);
      const { sessionId: foreign, fileUrl } = await processed(theirs.api);
      const answers = [
        await remove(mine.api, newId("session"), kind),
        await remove(mine.api, foreign, kind),
        await remove(mine.api, "nonsense", kind),
      ];
      for (const answer of answers) {
        expectError(answer, "NOT_FOUND");
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
      }
      expect((await fetch(fileUrl)).status).toBe(200);
    });

    test("409 NOT_READY while work keeps being added, and deletes nothing", async () => {
      const { api } = await newCaller();
      const { sessionId, fileUrl } = await processed(api);
      const setOpen = (openTurns: number) => prisma().session.update({ where: { id: sessionId }, data: { openTurns } });
      await setOpen(1);
      expectError(await remove(api, sessionId, kind), "NOT_READY", { retryable: true });
      expect((await fetch(fileUrl)).status).toBe(200);
      await setOpen(0);
      expect((await remove(api, sessionId, kind)).status).toBe(200);
    });

    test("400 a field that is not known, and an end user that is named twice", async () => {
      const { api } = await newCaller();
      const id = newId("session");
      expectError(await remove(api, id, kind, { force: true }), "VALIDATION_FAILED", { param: "force" });
      const twice = await api.post(`/${kind}/${id}/delete?endUserId=ada`, { endUserId: "bob" });
      expectError(twice, "VALIDATION_FAILED", { param: "endUserId", message: /the same/ });
    });
  });
}

test("POST /process/:id/delete does not know a chat", async () => {
  const { api } = await newCaller();
  const { body } = await api.post<{ sessionId: string }>("/chat", { message: "Hello" });
  expectError(await remove(api, body.sessionId, "process"), "NOT_FOUND");
  expect((await remove(api, body.sessionId)).status).toBe(200);
});
