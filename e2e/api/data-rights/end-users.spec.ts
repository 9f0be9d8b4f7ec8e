import { randomBytes } from "node:crypto";
import { expect, test } from "playwright/test";
import { findInStore } from "@/e2e/api/support/find-in-store";
import { loggedCalls } from "@/e2e/api/support/logged-calls";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { findInDatabase } from "@/e2e/support/canary-search";
import { cookieOf, personOf } from "@/e2e/support/panel-browser";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { checkBooks } from "@/lib/services/credits/check-books";
import { getDataRequest } from "@/lib/services/data-rights/list-data-requests";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { getMemory } from "@/lib/services/memory/get-memory";

const databaseUrl = suite.variables.DATABASE_URL ?? "";
const newCanary = () => `canary${randomBytes(6).toString("hex")}`;

/** An end user, named by the canary, who has done what an end user can do; all of it has been written. */
async function busyEndUser(canary: string) {
  const { account, api } = await newCaller();
  await prisma().project.update({ where: { id: account.projectId }, data: { apiMemoryPerUser: true } });
  const keyed = { "Idempotency-Key": `key-${canary}` };
  const message = { message: `I am ${canary} [[answer:- Is ${canary}]]`, endUserId: canary };
  const chat = await api.post<{ sessionId: string }>("/chat", message, keyed);
  await api.waitUntilDone(`/chat/${chat.body.sessionId}`);
  const file = textFile(`The file of ${canary}`, `${canary}.txt`);
  const { sessionId, fileUrl } = await startProcessing(api, file, { prompt: `Read ${canary}`, endUserId: canary });
  await api.waitUntilDone(`/process/${sessionId}`);
  await expect.poll(async () => (await getMemory(account, canary))?.content).toContain(canary);
  await expect.poll(() => prisma().outboxEvent.count({ where: { name: "memory/due" } })).toBe(0);
  return { account, api, fileUrl, sessionIds: [chat.body.sessionId, sessionId] };
}

/** The calls so far are in the log: what is written later is the second pass's. */
async function untilLogged(accountId: string): Promise<void> {
  const count = async () => prisma().callLog.count({ where: { accountId } });
  let before = -1;
  await expect
    .poll(
      async () => {
        const now = await count();
        const isStill = now === before;
        before = now;
        return isStill && now > 0;
      },
      { intervals: [2_000] },
    )
    .toBe(true);
  await loggedCalls({ accountId }, await count());
}

test("an export holds what the end user said and sent, for those who may ask for one alone", async () => {
  const canary = newCanary();
  const { account, sessionIds } = await busyEndUser(canary);
  const { id } = await requestExport(OPERATOR, account, canary);
  await expect.poll(async () => (await getDataRequest(account, id)).state).toBe("completed");
  const { storageKey } = await prisma().storedFile.findFirstOrThrow({
    where: { endUserId: canary, purpose: "export" },
  });
  expect((await fetch(`${suite.url}/files/${storageKey}`)).status, "no address opens it").toBe(404);
  const take = async (role: "admin" | "member") =>
    fetch(`${suite.url}/panel/end-users/exports/${id}`, { headers: cookieOf(await personOf(account, role)) });
  expect((await take("member")).status).toBe(404);
  const response = await take("admin");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toContain("attachment");
  const lines = (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ endUserId: canary });
  const sessions = lines.filter(({ table }) => table === "sessions").map(({ row }) => row.id);
  expect(sessions.sort()).toEqual([...sessionIds].sort());
});

test("an erased end user is in no table, no file and nothing of the queue", async () => {
  const canary = newCanary();
  const { account, api, fileUrl, sessionIds } = await busyEndUser(canary);
  await untilLogged(account.accountId);
  expect((await findInStore(canary)).length).toBeGreaterThan(0);

  const { id } = await requestErasure(OPERATOR, account, { endUserId: canary, confirmation: canary });
  // The receipt alone names the end user until the second pass, some minutes later.
  await expect.poll(() => findInDatabase(databaseUrl, canary), { timeout: 30_000 }).toEqual(["data_requests"]);
  expect(await findInStore(canary)).toEqual([]);
  expect((await fetch(fileUrl)).status).toBe(404);
  for (const sessionId of sessionIds) expect((await api.get(`/chat/${sessionId}`)).status).toBe(404);
  expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, charged: 2 });
  expect(await getDataRequest(account, id)).toMatchObject({ state: "running", counts: { sessions: 2 } });
});
