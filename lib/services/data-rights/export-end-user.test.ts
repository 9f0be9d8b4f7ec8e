import { text as readText } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { findInDatabase, findInFiles } from "@/e2e/support/canary-search";
import { busyTurn, canary, erase, exportOf, fullEndUser, receipt, useEndUserStage } from "@/e2e/support/end-user-stage";
import { addTestProject, createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";
import { openEndUserExport } from "@/lib/services/data-rights/open-end-user-export";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { openProjectFile, openStoredFile } from "@/lib/services/files/open-file";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { fileStore } from "@/lib/storage/select-store";

const stage = useEndUserStage();

describe("exporting an end user", () => {
  it("writes every row of every table into one file of JSON lines", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    await fullEndUser(account, ada);
    await fullEndUser(account, bob);
    const { open, counts, state, download } = await exportOf(account, ada);
    expect(state).toBe("completed");
    const file = await open();
    const content = await readText(await file.read());
    expect(download).toMatchObject({ sizeBytes: file.size });
    const [head, ...lines] = content
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(head).toMatchObject({ format: "end-user-export", endUserId: ada, projectId: account.projectId });
    expect(content).not.toContain(bob);
    expect(content).not.toContain("storage_key");
    const tables = new Set(lines.map(({ table }) => table));
    for (const { table, exportWithout } of PERSONAL_DATA) {
      if (exportWithout) expect(tables, table).toContain(table);
    }
    expect(lines).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0));
    expect(counts).toMatchObject({ sessions: 2, messages: 4, memory_profiles: 1 });
    // In words, as the panel shows it.
    expect(lines.find(({ table }) => table === "webhook_attempts").row.response_body).toBe(`Merci 🙂 ${ada}`);
  });

  it("gives a schema for an answer with its fields in the order that they were sent in, which answers follow", async () => {
    const account = await createTestAccount();
    const ada = canary();
    const outputSchema = { type: "object", properties: { total: { type: "number" }, date: {}, currency: {} } };
    await acceptTurn(account.principal, chatTurn({ endUserId: ada, outputSchema }));
    await acceptTurn(account.principal, chatTurn({ endUserId: ada }));
    const { open } = await exportOf(account, ada);
    const content = await readText(await (await open()).read());
    expect(content).toContain(`"output_schema":${JSON.stringify(outputSchema)}`);
    expect(content).toContain('"output_schema":null');
  });

  it("is reached by no address, no call and no other project, and each download has its line, one in parts as well", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await exportOf(account, ada);
    const { id: fileId, storageKey } = await prisma().storedFile.findFirstOrThrow({
      where: { endUserId: ada, purpose: "export" },
    });
    const gone = { code: "NOT_FOUND" };
    await expect(openStoredFile(storageKey)).rejects.toMatchObject(gone);
    await expect(openProjectFile(account.projectId, fileId)).rejects.toMatchObject(gone);
    await expect(openEndUserExport(OPERATOR, other, id)).rejects.toMatchObject(gone);
    const take = (who: Actor) => openEndUserExport(who, account, id);
    const [ann, elsewhere, bob] = [
      { kind: "owner", userId: "usr_ann", ip: "203.0.113.1" },
      { kind: "owner", userId: "usr_ann", ip: "203.0.113.2" },
      { kind: "owner", userId: "usr_bob", ip: "203.0.113.1" },
    ] as const;
    await Promise.all([take(ann), take(ann), take(ann)]);
    for (const who of [ann, elsewhere, bob]) await take(who);
    await inTransaction(async (tx) => {
      await tx.query("SET LOCAL service.erasing = 'on'");
      await tx.query("UPDATE audit_log SET created_at = created_at - interval '61 minutes' WHERE subject = $1", [id]);
    });
    await take(ann);
    const orderBy = [{ createdAt: "asc" }, { id: "asc" }] as const;
    const lines = await prisma().auditEntry.findMany({ where: { subject: id }, orderBy: [...orderBy] });
    const taken = ({ userId, ip }: Actor) => ["end-user.take-export", userId, ip];
    expect(lines.map(({ action, actorId, ip }) => [action, actorId, ip])).toEqual([
      ["end-user.export", null, null],
      ...[ann, elsewhere, bob, ann].map(taken),
    ]);
  });

  it("can be fetched no more once its time is over", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id, open, download } = await exportOf(account, ada);
    expect(Date.parse(download?.expiresAt ?? "") - Date.now()).toBeGreaterThan(6 * 24 * 3_600_000);
    const isOver =
      "UPDATE stored_files SET expires_at = now() - interval '1 second' WHERE end_user_id = $1 AND purpose = 'export'";
    await db().query(isOver, [ada]);
    await expect(open()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await receipt(account, id)).download).toBeNull();
  });

  it("takes the place of the one before of the same end user", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    for (const endUser of [ada, bob]) await busyTurn(account, endUser, endUser);
    const [first, others] = [await exportOf(account, ada), await exportOf(account, bob)];
    const second = await exportOf(account, ada);
    await expect(first.open()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await receipt(account, first.id)).download).toBeNull();
    for (const { id } of [second, others]) expect((await receipt(account, id)).download).not.toBeNull();
    // Another project's of that name is somebody else.
    const elsewhere = await addTestProject(account, "Second");
    await busyTurn(elsewhere, ada, ada);
    await exportOf(elsewhere, ada);
    expect((await receipt(account, second.id)).download).not.toBeNull();
  });

  it("is made once, and leaves no file when the end user is erased meanwhile", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    await inTransaction((tx) => tx.query("UPDATE data_requests SET state = 'running' WHERE id = $1", [id]));
    await Promise.all([exportEndUser(id), exportEndUser(id)]);
    const { rows } = await db().query("SELECT 1 FROM stored_files WHERE end_user_id = $1 AND purpose = 'export'", [
      ada,
    ]);
    expect(rows).toHaveLength(1);
    const next = await requestExport(OPERATOR, account, ada);
    await erase(account, ada);
    await exportEndUser(next.id);
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
    expect(await findInFiles(stage.dataDir, ada)).toEqual([]);
  });

  it("is not begun any more once all but the end of an erasure is done: its file would stay", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    const erasure = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await eraseEndUser(erasure.id);
    const { accountId, projectId } = account;
    const callId = newId("call");
    await db().query(
      `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, session_id)
       VALUES ($1, $2, $3, 'req_late', 'GET /chat/:sessionId', '/api/v1/chat/gone', 200, 1, 'gone')`,
      [callId, accountId, projectId],
    );
    const [ended] = await whileHeld(
      { statement: "SELECT FROM call_logs WHERE id = $1 FOR UPDATE", id: callId, meanwhile: () => exportEndUser(id) },
      () => finishErasure(erasure.id),
    );
    expect(ended.status).toBe("fulfilled");
    expect(await receipt(account, id)).toMatchObject({ state: "failed", download: null });
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
    expect(await findInFiles(stage.dataDir, ada)).toEqual([]);
  });

  it("is not kept when it comes after the end user was erased, who is in it", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    const erasure = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const store = fileStore();
    const write = store.write.bind(store);
    const late = vi.spyOn(store, "write").mockImplementation(async (...what) => {
      const written = await write(...what);
      await eraseEndUser(erasure.id);
      return written;
    });
    await exportEndUser(id);
    late.mockRestore();
    expect(await receipt(account, id)).toMatchObject({ state: "failed", download: null });
    expect(await findInFiles(stage.dataDir, ada)).toEqual([]);
  });
});
