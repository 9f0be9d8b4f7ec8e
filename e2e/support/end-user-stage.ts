import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import type { TestAccount } from "@/e2e/support/test-account";
import { completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { OPERATOR, recordAudit } from "@/lib/services/accounts/record-audit";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";
import { listDataRequests } from "@/lib/services/data-rights/list-data-requests";
import { openEndUserExport } from "@/lib/services/data-rights/open-end-user-export";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { storeUpload } from "@/lib/services/files/store-upload";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

/** Where all that is known of end users is, for a test file that looks for what is left of them. */
interface EndUserStage {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** A database and a folder for files of its own, from before the first test until after the last. */
export function useEndUserStage(): EndUserStage {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "data-rights-"));
  });
  const database = useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));
  afterAll(() => rm(dataDir, { recursive: true }));
  return {
    get databaseUrl() {
      return database.url;
    },
    get dataDir() {
      return dataDir;
    },
  };
}

function upload(account: TestAccount, name: string, content: string) {
  const stream = (async function* () {
    yield Buffer.from(content);
  })();
  return storeUpload(account.principal, { name, contentType: "text/plain", stream });
}

/** A turn with a file, a callback, an idempotency key and an answer; every field holds the canary. */
export async function busyTurn(
  account: TestAccount,
  endUserId: string,
  canary: string,
  isDone = true,
): Promise<string> {
  const { principal } = account;
  const requestId = newId("request");
  const call = { key: `${canary}-${requestId}`, requestHash: randomBytes(32), requestId, status: 202 };
  const claimed = await claimKey(principal, call);
  if (!("claim" in claimed)) throw new Error("The key was taken.");
  const { sessionId, turnId } = await acceptTurn(
    principal,
    {
      endpoint: "POST /process",
      requestId,
      kind: "process",
      input: `Input ${canary}`,
      prompt: `Prompt ${canary}`,
      fileContent: `Content ${canary}`,
      callbackUrl: `https://client.example/${canary}`,
      reference: canary,
      creditsToReserve: 2,
      endUserId,
      files: [await upload(account, `${canary}.txt`, `File of ${canary}`)],
    },
    (tx, accepted) => keepResponse(tx, claimed.claim, { ...accepted, canary }),
  );
  if (!isDone) return sessionId;
  const seen = { output: `Output ${canary}`, context: { saw: canary }, isMemoryDue: true };
  await endTurn(turnId, null, completedEnd({ ...seen, tokensIn: 100, tokensOut: 20, credits: 2 }));
  await db().query("UPDATE stored_files SET extraction = $2 WHERE session_id = $1", [
    sessionId,
    JSON.stringify({ text: canary }),
  ]);
  await db().query(
    `INSERT INTO webhook_attempts (delivery_id, number, started_at, request_headers, response_headers, response_body, error)
     SELECT id, 1, now(), $2, $2, $3, $4 FROM webhook_deliveries WHERE session_id = $1`,
    [sessionId, JSON.stringify({ "x-echo": canary }), Buffer.from(`Merci 🙂 ${canary}`), canary],
  );
  await writeCalls([
    {
      id: newId("call"),
      accountId: account.accountId,
      projectId: account.projectId,
      apiKeyId: principal.apiKeyId,
      requestId,
      endpoint: "POST /process",
      path: `/api/v1/process/${canary}`,
      status: 202,
      errorCode: null,
      durationMs: 5,
      ip: `203.0.113.7-${canary}`,
      userAgent: `agent ${canary}`,
      sessionId,
      endUserId,
      isStart: true,
      summary: { query: [canary] },
      receivedAtMs: performance.now(),
    },
    // A poll that did not name the end user.
    {
      id: newId("call"),
      accountId: account.accountId,
      projectId: account.projectId,
      apiKeyId: principal.apiKeyId,
      requestId: newId("request"),
      endpoint: "GET /process/:id",
      path: `/api/v1/process/${sessionId}`,
      status: 200,
      errorCode: null,
      durationMs: 1,
      ip: `203.0.113.8-${canary}`,
      userAgent: canary,
      sessionId,
      endUserId: null,
      isStart: false,
      summary: {},
      receivedAtMs: performance.now(),
    },
  ]);
  return sessionId;
}

/** An end user whose name is the canary, with something in every table and store. */
export async function fullEndUser(account: TestAccount, endUserId: string): Promise<void> {
  await busyTurn(account, endUserId, endUserId);
  await busyTurn(account, endUserId, endUserId);
  await editMemory(OPERATOR, account, { endUserId, content: `Profile of ${endUserId}` });
  await prisma().$transaction((tx) =>
    recordAudit(tx, OPERATOR, {
      accountId: account.accountId,
      action: "memory.edit",
      subject: endUserId,
      reason: `asked by ${endUserId}`,
      before: { content: endUserId },
      after: { content: endUserId },
    }),
  );
  await recordCsvExport(OPERATOR, account, "calls", { endUserId, minStatus: 400 });
}

/** A word that is nowhere else. */
export const canary = () => `canary${randomBytes(6).toString("hex")}`;

/** @returns the id of the request */
export async function erase(account: TestAccount, endUserId: string) {
  const request = await requestErasure(OPERATOR, account, { endUserId, confirmation: endUserId });
  await eraseEndUser(request.id);
  await finishErasure(request.id);
  return request.id;
}

/** What the list says of a request. */
export async function receipt(account: TestAccount, id: string) {
  const { data } = await listDataRequests(account, { limit: 20 });
  const found = data.find((one) => one.id === id);
  if (!found) throw new Error("The receipt is gone.");
  return found;
}

/** An export that was asked for and made, and how it is taken. */
export async function exportOf(account: TestAccount, endUserId: string) {
  const { id } = await requestExport(OPERATOR, account, endUserId);
  await exportEndUser(id);
  const { download, ...rest } = await receipt(account, id);
  const open = () => openEndUserExport(OPERATOR, account, id);
  return { download, open, ...rest };
}
