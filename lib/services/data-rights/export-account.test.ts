import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findInFiles } from "@/e2e/support/canary-search";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { OPERATOR, recordAudit } from "@/lib/services/accounts/record-audit";
import {
  dropAccountExports,
  failAccountExport,
  isErasureUnderWay,
} from "@/lib/services/data-rights/account-export-state";
import { ACCOUNT_EXPORT, NOT_IN_ACCOUNT_EXPORT } from "@/lib/services/data-rights/account-export-tables";
import {
  listAccountExports,
  openAccountExport,
  requestAccountExport,
} from "@/lib/services/data-rights/account-exports";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { exportAccount } from "@/lib/services/data-rights/export-account";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { writeExport } from "@/lib/services/data-rights/write-export";
import { openProjectFile, openStoredFile } from "@/lib/services/files/open-file";
import { storeUpload } from "@/lib/services/files/store-upload";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { sweepRetention } from "@/lib/services/retention/sweep-retention";
import { createTemplate } from "@/lib/services/templates/create-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { fileStore } from "@/lib/storage/select-store";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "export-account-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

const canary = (kind: string) => `${kind}${randomBytes(6).toString("hex")}`;

/** An account with something in every table that is exported, and a secret wherever there can be one. */
async function fullAccount(word: string, secret: string): Promise<TestAccount> {
  const account = await createTestAccount();
  const { principal } = account;
  const template = await createTemplate(principal, { name: word, promptTemplate: word });
  await prisma().templateVersion.createMany({
    data: [{ templateId: template.id, version: 99, promptTemplate: word, variables: {} }],
  });
  const tried = { name: word, values: { name: word }, message: word };
  await prisma().templateExample.create({ data: { id: newId("templateExample"), templateId: template.id, ...tried } });
  const knowledge = await createKnowledgeFile(principal, { path: `${word}.md`, content: `# ${word}` });
  await db().query("INSERT INTO knowledge_file_versions (file_id, version, content, sha256) VALUES ($1, 99, $2, $2)", [
    knowledge.id,
    word,
  ]);
  await prisma().endUser.create({ data: { projectId: principal.projectId, endUserId: word } });
  await editMemory(OPERATOR, principal, { endUserId: word, content: word });
  const file = await storeUpload(principal, {
    name: `${word}.txt`,
    contentType: "text/plain",
    stream: (async function* () {
      yield Buffer.from(word);
    })(),
  });
  const { sessionId, turnId } = await acceptTurn(principal, {
    endpoint: "POST /process",
    requestId: newId("request"),
    kind: "process",
    input: word,
    creditsToReserve: 2,
    endUserId: word,
    files: [file],
  });
  await endTurn(turnId, null, completedEnd({ output: word, tokensIn: 10, tokensOut: 10, credits: 2 }));
  await addSecrets(account, word, secret);
  await addRecords(account, { word, secret, sessionId });
  return account;
}

async function addSecrets({ accountId, projectId }: TestAccount, word: string, secret: string): Promise<void> {
  const { userId } = await prisma().member.findFirstOrThrow({ where: { accountId } });
  await prisma().user.update({
    where: { id: userId },
    data: { name: word, passwordHash: secret, totpSecretEncrypted: secret, totpPendingEncrypted: secret },
  });
  await prisma().account.update({ where: { id: accountId }, data: { companyName: word } });
  await prisma().project.update({
    where: { id: projectId },
    data: { name: word, callbackSecretEncrypted: secret, previousCallbackSecretEncrypted: secret },
  });
  await prisma().apiKey.updateMany({ where: { accountId }, data: { name: word, keyHash: Buffer.from(secret) } });
  await prisma().recoveryCode.create({ data: { userId, codeHash: secret } });
  const later = new Date(Date.now() + 86_400_000);
  await prisma().userToken.create({
    data: { tokenHash: secret, userId, purpose: "reset-password", expiresAt: later },
  });
  await prisma().userSession.create({
    data: { id: newId("userSession"), userId, tokenHash: secret, ip: secret, userAgent: secret, expiresAt: later },
  });
  await prisma().invitation.create({
    data: { id: newId("invitation"), accountId, email: word, role: "member", tokenHash: secret, expiresAt: later },
  });
}

async function addRecords(
  { accountId, projectId }: TestAccount,
  { word, secret, sessionId }: { word: string; secret: string; sessionId: string },
): Promise<void> {
  const url = `https://receiver.example/${word}`;
  const registrationId = await seedRegistration({ accountId, projectId, url, secret: newWebhookSecret() });
  const event = { ...SAMPLE_EVENTS.completion, output: word, endUserId: word };
  const { id } = await seedDelivery({ accountId, projectId, url, registrationId, event, status: "failed" });
  await prisma().webhookAttempt.create({
    data: { deliveryId: id, number: 1, startedAt: new Date(), durationMs: 1, requestHeaders: {}, error: word },
  });
  await prisma().verificationSubmission.create({
    data: { id: newId("verification"), accountId, company: { legalName: word }, dueAt: new Date() },
  });
  await prisma().alert.create({ data: { id: newId("alert"), accountId, kind: "test", message: word } });
  await prisma().alertChat.create({
    data: { accountId, app: "slack", host: "hooks.slack.com", hint: "abcd", addressEncrypted: secret },
  });
  await prisma().chatMessage.create({ data: { id: newId("chatMessage"), accountId, text: "Not exported." } });
  await prisma().accountRequest.create({
    data: { id: newId("accountRequest"), accountId, kind: "credits", credits: 1, note: word },
  });
  await db().query(
    `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, session_id)
     VALUES ($1, $2, $3, 'req_1', 'GET /account', $4, 200, 1, $5)`,
    [newId("call"), accountId, projectId, `/${word}`, sessionId],
  );
  await db().query("INSERT INTO call_hours (project_id, account_id, hour) VALUES ($1, $2, date_trunc('hour', now()))", [
    projectId,
    accountId,
  ]);
  await requestExport(OPERATOR, { accountId, projectId }, word);
  await prisma().$transaction((tx) =>
    recordAudit(
      tx,
      { kind: "owner", userId: "usr_own", ip: "203.0.113.7" },
      { accountId, action: "key.create", subject: word },
    ),
  );
}

async function take(accountId: string) {
  const id = await requestAccountExport(OPERATOR, accountId);
  await exportAccount(id);
  const receipt = (await listAccountExports(accountId)).find((one) => one.id === id);
  const file = await openAccountExport({ kind: "owner", userId: "usr_own" }, accountId, id);
  return { id, receipt, file, content: await readText(await file.read()) };
}

const storedFile = (accountId: string) =>
  prisma().storedFile.findFirstOrThrow({ where: { accountId, purpose: "account-export" } });

describe("the list of what an account's export holds", () => {
  it("names every table once, with what is exported or why it is not", () => {
    const listed = [...ACCOUNT_EXPORT.map(({ table }) => table), ...Object.keys(NOT_IN_ACCOUNT_EXPORT)];
    expect(listed.sort()).toEqual(PERSONAL_DATA.map(({ table }) => table).sort());
  });

  it("leaves out every column that looks like a secret, and only columns that there are", async () => {
    const { rows } = await db().query<{ table: string; columns: string[] }>(
      `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
       WHERE table_schema = 'public' GROUP BY 1`,
    );
    const columnsOf = new Map(rows.map(({ table, columns }) => [table, columns]));
    for (const { table, without, row } of ACCOUNT_EXPORT) {
      const columns = columnsOf.get(table) ?? [];
      expect(columns, table).toEqual(expect.arrayContaining([...without]));
      const secrets = columns.filter((name) =>
        /(secret|encrypted|sealed|password|token_hash|key_hash|digest|storage_key)(?!.*_until$)/.test(name),
      );
      if (table !== "users") expect([table, secrets.filter((name) => !without.includes(name))]).toEqual([table, []]);
      else
        expect(row).toMatch(
          /^jsonb_build_object\('id', t.id, 'email', t.email, 'name', t.name, 'created_at', t.created_at\)$/,
        );
    }
  });
});

describe("exporting an account", () => {
  it("writes every row of every table into one file of JSON lines, no secret, and nothing of another account", async () => {
    const [mine, theirs, secret] = [canary("mine"), canary("theirs"), canary("secret")];
    const [account, other] = [await fullAccount(mine, secret), await fullAccount(theirs, `${secret}2`)];
    const { accountId } = account;
    const { callbackSecretEncrypted } = await prisma().project.findUniqueOrThrow({ where: { id: account.projectId } });
    const sealed = await prisma().webhookRegistration.findFirstOrThrow({ where: { accountId } });
    const staff = { kind: "staff", userId: "usr_staff", ip: "198.51.100.1" } as const;
    await prisma().$transaction((tx) =>
      recordAudit(tx, staff, { accountId, action: "account.set-plan", subject: mine }),
    );

    const { content, receipt, file, id } = await take(accountId);
    const [head, ...lines] = content
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(head).toMatchObject({ format: "account-export", version: 1, accountId });
    expect(file.name).toMatch(/^account-export-\d{4}-\d\d-\d\d\.jsonl$/);
    expect([...new Set(lines.map(({ table }) => table))].sort()).toEqual(
      ACCOUNT_EXPORT.map(({ table }) => table).sort(),
    );
    for (const { table } of ACCOUNT_EXPORT) {
      const isWorded = lines.some((line) => line.table === table && JSON.stringify(line.row).includes(mine));
      if (PERSONAL_DATA.find((one) => one.table === table)?.personal.length) {
        expect([table, isWorded]).toEqual([table, true]);
      }
    }
    for (const foreign of [
      secret,
      Buffer.from(secret).toString("hex"),
      callbackSecretEncrypted,
      sealed.secretEncrypted,
      account.apiKey,
    ]) {
      expect(content).not.toContain(foreign);
    }
    for (const foreign of [theirs, other.accountId, other.projectId, "usr_staff", "198.51.100.1"]) {
      expect(content).not.toContain(foreign);
    }
    expect(content).toContain("usr_own");
    expect(receipt).toMatchObject({ id, state: "completed", download: { sizeBytes: file.size } });
    expect(Object.values(receipt?.counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(lines.length);
    expect(Date.parse(receipt?.download?.expiresAt ?? "") - Date.now()).toBeGreaterThan(6 * 86_400_000);
  });

  it("gives a schema for an answer with its fields in the order that they were sent in, which answers follow", async () => {
    const { accountId, principal } = await createTestAccount();
    const outputSchema = { type: "object", properties: { total: { type: "number" }, date: {}, currency: {} } };
    await acceptTurn(principal, chatTurn({ outputSchema }));
    expect((await take(accountId)).content).toContain(`"output_schema":${JSON.stringify(outputSchema)}`);
  });

  it("is reached by no address and by no other account, and each download has its line", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const { id } = await take(account.accountId);
    const { storageKey, id: fileId, projectId } = await storedFile(account.accountId);
    await expect(openStoredFile(storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(openProjectFile(projectId, fileId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(openAccountExport(OPERATOR, other.accountId, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listAccountExports(other.accountId)).toEqual([]);
    const lines = await prisma().auditEntry.findMany({
      where: { accountId: account.accountId, subject: id },
      orderBy: { createdAt: "asc" },
    });
    expect(lines.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["account.export", null],
      ["account.take-export", "usr_own"],
    ]);
  });

  it("is gone after its days, from the store too", async () => {
    const { accountId } = await createTestAccount();
    const { id } = await take(accountId);
    const { storageKey } = await storedFile(accountId);
    await db().query("UPDATE stored_files SET expires_at = now() WHERE storage_key = $1", [storageKey]);
    await expect(openAccountExport(OPERATOR, accountId, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await sweepRetention();
    expect(await findInFiles(dataDir, accountId)).toEqual([]);
    expect(await listAccountExports(accountId)).toMatchObject([{ id, state: "completed", download: null }]);
  });

  it("takes the place of the one before, and of nobody else's", async () => {
    const [{ accountId }, other] = await Promise.all([createTestAccount(), createTestAccount()]);
    const kept = await take(other.accountId);
    const { id: first } = await take(accountId);
    const { id: second } = await take(accountId);
    await expect(openAccountExport(OPERATOR, accountId, first)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await sweepRetention();
    expect(await prisma().storedFile.count({ where: { accountId } })).toBe(1);
    await expect(openAccountExport(OPERATOR, accountId, second)).resolves.toBeDefined();
    await expect(openAccountExport(OPERATOR, other.accountId, kept.id)).resolves.toBeDefined();
  });

  it.each([
    ["went", "DELETE FROM pending_uploads"],
    ["was just being removed", "UPDATE pending_uploads SET started_at = to_timestamp(0)"],
  ])("leaves the one before alone when its own file %s before it was kept, and is made again", async (_how, sweep) => {
    const { accountId } = await createTestAccount();
    const { id: first } = await take(accountId);
    const id = await requestAccountExport(OPERATOR, accountId);
    const store = fileStore();
    const write = store.write.bind(store);
    const swept = vi.spyOn(store, "write").mockImplementation(async (...what) => {
      const written = await write(...what);
      await db().query(sweep);
      return written;
    });
    await expect(exportAccount(id)).rejects.toThrow("removed before it was kept");
    swept.mockRestore();
    await expect(openAccountExport(OPERATOR, accountId, first)).resolves.toBeDefined();
    await exportAccount(id);
    await expect(openAccountExport(OPERATOR, accountId, id)).resolves.toBeDefined();
  });

  it("leaves no file when its account is erased while the store is about to take it", async () => {
    const word = canary("late");
    const { accountId, principal } = await createTestAccount();
    await acceptTurn(principal, chatTurn({ input: word }));
    const id = await requestAccountExport(OPERATOR, accountId);
    const { companyName } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
    await requestAccountErasure(OPERATOR, { accountId, confirmation: companyName });
    const store = fileStore();
    const write = store.write.bind(store);
    const erased = vi.spyOn(store, "write").mockImplementation(async (...what) => {
      await eraseAccount(accountId);
      return write(...what);
    });
    await exportAccount(id);
    erased.mockRestore();
    expect(await findInFiles(dataDir, word)).toEqual([]);
  });

  it("ends without a failure and leaves no file when its account is erased while the store takes it", async () => {
    const word = canary("late");
    const { accountId, principal } = await createTestAccount();
    await acceptTurn(principal, chatTurn({ input: word, endUserId: word }));
    const id = await requestAccountExport(OPERATOR, accountId);
    const { id: ofEndUser } = await requestExport(OPERATOR, principal, word);
    const { companyName } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
    await requestAccountErasure(OPERATOR, { accountId, confirmation: companyName });
    const store = fileStore();
    const write = store.write.bind(store);
    const begun = Promise.withResolvers<void>();
    const erased = Promise.withResolvers<void>();
    let open = 2;
    const held = vi.spyOn(store, "write").mockImplementation((key, body, options) => {
      const heldBody = async function* () {
        yield* body;
        open -= 1;
        if (open === 0) begun.resolve();
        await erased.promise;
      };
      return write(key, heldBody(), options);
    });
    const exports = Promise.all([exportAccount(id), exportEndUser(ofEndUser)]);
    await begun.promise;
    held.mockRestore();
    await eraseAccount(accountId);
    erased.resolve();
    await exports;
    expect(await findInFiles(dataDir, word)).toEqual([]);
  });

  it("is one however often it is asked for, is made once, and can be asked for again after it failed", async () => {
    const { accountId } = await createTestAccount();
    const ask = () => requestAccountExport(OPERATOR, accountId);
    const [id = "", ...same] = await Promise.all([ask(), ask(), ask()]);
    expect(same).toEqual([id, id]);
    await Promise.all([exportAccount(id), exportAccount(id)]);
    expect(await prisma().storedFile.count({ where: { accountId } })).toBe(1);
    // As when the queue gives up what was done though its answer was lost.
    await failAccountExport(id);
    expect(await listAccountExports(accountId)).toMatchObject([{ id, state: "completed" }]);
    const next = await ask();
    expect(next).not.toBe(id);
    await failAccountExport(next);
    await exportAccount(next);
    expect(await prisma().storedFile.count({ where: { accountId } })).toBe(1);
    expect(await ask()).not.toBe(next);
  });

  it("has minutes between two rows, for a store that takes its time", async () => {
    const account = await createTestAccount();
    const text = "SELECT jsonb_build_object('patience', current_setting('idle_in_transaction_session_timeout')) AS row";
    const queries = [{ table: "settings", text, values: [] }];
    const { draft } = await writeExport(account.principal, { name: "export.jsonl", head: {}, queries });
    const stored = await fileStore().read(draft.storageKey);
    expect(await new Response(stored?.stream).text()).toContain('"patience":"10min"');
    const { rows } = await db().query("SHOW idle_in_transaction_session_timeout");
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }]);
  });

  it("goes to the store in small pieces, however long its rows are", async () => {
    const account = await createTestAccount();
    const text = "SELECT jsonb_build_object('text', repeat('x', 500000)) AS row FROM generate_series(1, 40)";
    const queries = [{ table: "turns", text, values: [] }];
    let longest = 0;
    const write = vi.spyOn(fileStore(), "write").mockImplementation(async (_key, body) => {
      let size = 0;
      for await (const chunk of body) {
        longest = Math.max(longest, chunk.byteLength);
        size += chunk.byteLength;
      }
      return { size, sha256: "none" };
    });
    const { draft, counts } = await writeExport(account.principal, { name: "export.jsonl", head: {}, queries });
    write.mockRestore();
    expect(counts).toEqual({ turns: 40 });
    expect(draft.size).toBeGreaterThan(40 * 500_000);
    expect(longest).toBeLessThan(1_000_000);
  });

  it.each([
    ["is full from the start", () => {}],
    [
      "fills up meanwhile",
      async (body: AsyncIterable<Uint8Array>) => {
        for await (const _chunk of body) break;
      },
    ],
  ])("gives its connection back, outside of any transaction, when the store %s", async (_when, read) => {
    const account = await createTestAccount();
    // More than is looked at to tell what a file is.
    for (let lines = 0; lines < 500; lines++)
      await acceptTurn(account.principal, chatTurn({ input: "x".repeat(1_000) }));
    const write = vi.spyOn(fileStore(), "write").mockImplementation(async (_key, body) => {
      await read(body);
      throw new Error("The disk is full.");
    });
    const exportId = await requestAccountExport(OPERATOR, account.accountId);
    await expect(exportAccount(exportId)).rejects.toThrow("The disk is full.");
    write.mockRestore();
    expect(db().idleCount).toBe(db().totalCount);
    // Whoever had it next would be refused: first what removes the upload.
    expect(await prisma().pendingUpload.count({ where: { projectId: account.projectId } })).toBe(0);
    // At once: each has a connection of its own.
    const asked = Array.from({ length: db().totalCount }, () => db().query("SHOW transaction_read_only"));
    for (const { rows } of await Promise.all(asked)) expect(rows).toEqual([{ transaction_read_only: "off" }]);
    await exportAccount(exportId);
    expect(await listAccountExports(account.accountId)).toMatchObject([{ state: "completed" }]);
  });

  it("goes alone when it has to go: no export of an end user does, and no other account's export", async () => {
    const [{ accountId }, other] = [await fullAccount(canary("word"), canary("secret")), await createTestAccount()];
    const filesOf = () => prisma().storedFile.findMany({ where: { accountId }, orderBy: { id: "asc" } });
    await prisma().storedFile.updateMany({ where: { accountId }, data: { purpose: "export" } });
    const before = await filesOf();
    expect(before.length).toBeGreaterThan(0);
    await take(accountId);
    const kept = await take(other.accountId);
    await dropAccountExports(accountId);
    expect(await filesOf()).toEqual(before);
    await expect(openAccountExport(OPERATOR, other.accountId, kept.id)).resolves.toBeDefined();
  });

  it("does not outlive the erasure of an end user who is in it", async () => {
    const account = await createTestAccount();
    const { accountId } = account;
    const ada = canary("ada");
    await prisma().endUser.create({ data: { projectId: account.projectId, endUserId: ada } });
    await editMemory(OPERATOR, account.principal, { endUserId: ada, content: ada });
    const { id } = await take(accountId);
    expect((await findInFiles(dataDir, ada)).length).toBe(1);
    const erasure = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await eraseEndUser(erasure.id);
    expect(await findInFiles(dataDir, ada)).toEqual([]);
    await expect(openAccountExport(OPERATOR, accountId, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("begins anew by itself where an erasure broke it off, and what was written until then is no file", async () => {
    const account = await createTestAccount();
    const { accountId } = account;
    const id = await requestAccountExport(OPERATOR, accountId);
    await db().query("DELETE FROM outbox_events");
    const store = fileStore();
    const { write } = store;
    const writing = vi.spyOn(store, "write").mockImplementationOnce(async (...what) => {
      const written = await write.apply(store, what);
      await dropAccountExports(accountId);
      // The next attempt has begun before the first one ends.
      await db().query(
        "UPDATE account_exports SET state = 'running', started_at = now() + interval '1 second' WHERE id = $1",
        [id],
      );
      return written;
    });
    await exportAccount(id);
    writing.mockRestore();
    expect(await prisma().storedFile.count({ where: { accountId } })).toBe(0);
    const { rows } = await db().query("SELECT name, data FROM outbox_events");
    expect(rows).toEqual([{ name: "account/export", data: { exportId: id } }]);
    await exportAccount(id);
    expect(await listAccountExports(accountId)).toMatchObject([{ id, state: "completed" }]);
    expect(await prisma().storedFile.count({ where: { accountId } })).toBe(1);
  });

  it("is not begun while an end user of the account is erased, and holds nothing of them afterwards", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const ada = canary("ada");
    await prisma().endUser.create({ data: { projectId: account.projectId, endUserId: ada } });
    const erasure = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const id = await requestAccountExport(OPERATOR, account.accountId);
    const elsewhere = await requestAccountExport(OPERATOR, other.accountId);
    expect([await isErasureUnderWay(id), await isErasureUnderWay(elsewhere)]).toEqual([true, false]);
    await eraseEndUser(erasure.id);
    expect(await isErasureUnderWay(id)).toBe(true);
    await finishErasure(erasure.id);
    expect(await isErasureUnderWay(id)).toBe(false);
    await exportAccount(id);
    expect(await findInFiles(dataDir, ada)).toEqual([]);
    await expect(openAccountExport(OPERATOR, account.accountId, id)).resolves.toBeDefined();
  });
});
