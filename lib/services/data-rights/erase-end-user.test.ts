import { describe, expect, it } from "vitest";
import { findInDatabase, findInFiles } from "@/e2e/support/canary-search";
import { busyTurn, canary, erase, exportOf, fullEndUser, receipt, useEndUserStage } from "@/e2e/support/end-user-stage";
import { whileFailing } from "@/e2e/support/failing-statement";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import { newId } from "@/lib/domain/ids";
import { OPERATOR, recordAudit } from "@/lib/services/accounts/record-audit";
import { checkBooks } from "@/lib/services/credits/check-books";
import { openAccountExport, requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { eraseFromBooks } from "@/lib/services/data-rights/erase-from-books";
import { exportAccount } from "@/lib/services/data-rights/export-account";
import { listDataRequests } from "@/lib/services/data-rights/list-data-requests";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { getEndUser } from "@/lib/services/end-users/get-end-user";
import { editMemory } from "@/lib/services/memory/edit-memory";

const stage = useEndUserStage();

/** All that names an account, or a project of its, table by table. */
async function rowsOf({ accountId, projectId }: TestAccount): Promise<Record<string, string[]>> {
  const { rows: columns } = await db().query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('account_id', 'project_id')`,
  );
  const found: Record<string, string[]> = {};
  for (const { table, column } of columns) {
    const { rows } = await db().query<{ row: string }>(
      `SELECT t::text AS row FROM "${table}" t WHERE ${column} = $1 ORDER BY 1`,
      [column === "account_id" ? accountId : projectId],
    );
    found[`${table} by ${column}`] = rows.map(({ row }) => row);
  }
  return found;
}

describe("erasing an end user", () => {
  it("leaves not one trace in any table or store, and keeps the books", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    await fullEndUser(account, ada);
    await fullEndUser(account, bob);
    const { open } = await exportOf(account, ada);
    expect((await findInFiles(stage.dataDir, ada)).length).toBeGreaterThan(2);
    const before = await checkBooks(account.accountId);
    const bobBefore = [await findInDatabase(stage.databaseUrl, bob), await getEndUser(account, bob)];

    const id = await erase(account, ada);

    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
    expect(await findInFiles(stage.dataDir, ada)).toEqual([]);
    await expect(open()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(getEndUser(account, ada)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await checkBooks(account.accountId)).toEqual({ ...before, isClean: true, problems: [] });
    expect([await findInDatabase(stage.databaseUrl, bob), await getEndUser(account, bob)]).toEqual(bobBefore);

    expect(await receipt(account, id)).toMatchObject({
      kind: "erase",
      state: "completed",
      endUserId: null,
      completedAt: expect.stringMatching(/Z$/),
      counts: {
        sessions: 2,
        turns: 2,
        messages: 4,
        files: 3,
        webhook_deliveries: 2,
        webhook_attempts: 2,
        call_logs: 4,
        idempotency_keys: 2,
        ledger_entries: 2,
        usage_days: 1,
        audit_log: 3,
        memory_profiles: 1,
        memory_versions: 1,
        end_users: 1,
      },
    });
    const own = await listDataRequests(account, { limit: 20, endUserId: ada });
    expect(own.data.map(({ kind }) => kind)).toEqual(["erase", "export"]);
  });

  it("says in the receipt of all files that they are gone, also of those that went before it was interrupted", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const behindFiles = { number: 1, of: /^SELECT id FROM sessions WHERE id = ANY/ };
    const { outcome } = await whileFailing(behindFiles, "cut", () => eraseEndUser(id));
    expect(outcome.status).toBe("rejected");
    await eraseEndUser(id);
    expect((await receipt(account, id)).counts).toMatchObject({ sessions: 1, files: 1 });
  });

  it("leaves no word of theirs where the bytes of a file cannot be removed, and ends once they are", async () => {
    const account = await createTestAccount();
    const [ada, words] = [canary(), canary()];
    const lost = await busyTurn(account, ada, words);
    await busyTurn(account, ada, words);
    await editMemory(OPERATOR, account, { endUserId: ada, content: words });
    const inStore = (store: string) =>
      db().query("UPDATE stored_files SET store = $3 WHERE storage_key = $2 OR session_id = $1", [lost, key, store]);
    const { storageKey: key } = await prisma().storedFile.findFirstOrThrow({ where: { sessionId: lost } });
    await inStore("blob");
    const accountExport = async () => {
      const exportId = await requestAccountExport(OPERATOR, account.accountId);
      await exportAccount(exportId);
      return exportId;
    };
    await accountExport();
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    for (let tried = 1; tried <= 2; tried++) {
      await expect(eraseEndUser(id)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
      expect(await findInDatabase(stage.databaseUrl, words)).toEqual([]);
      expect(await findInFiles(stage.dataDir, words)).toHaveLength(1);
    }
    expect((await receipt(account, id)).state).toBe("running");
    // For as long as that takes, the company's own exports are made.
    const later = await accountExport();
    await expect(eraseEndUser(id)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await expect(openAccountExport(OPERATOR, account.accountId, later)).resolves.toBeDefined();
    await inStore("disk");
    await eraseEndUser(id);
    await finishErasure(id);
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
    expect(await findInFiles(stage.dataDir, words)).toEqual([]);
    expect(await receipt(account, id)).toMatchObject({ state: "completed", counts: { sessions: 2, files: 2 } });
  });

  it("had the canary in every table that the list says holds something of an end user", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    await requestExport(OPERATOR, account, ada);
    const withEndUser = PERSONAL_DATA.filter(({ ofEndUser }) => ofEndUser).map(({ table }) => table);
    // Those two are filled by open turns, and by those that failed in their midst, alone; they go with their turns.
    const filled = withEndUser.filter((table) => table !== "turn_parts" && table !== "turn_outputs");
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual(filled.sort());
  });

  it("keeps who took a list of the end user's calls away, without the name", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    await erase(account, ada);
    const { rows } = await db().query("SELECT subject, after FROM audit_log WHERE account_id = $1 AND action = $2", [
      account.accountId,
      "csv.calls",
    ]);
    expect(rows).toEqual([{ subject: account.projectId, after: { endUserId: ERASED_END_USER, minStatus: "400" } }]);
  });

  it("keeps who had the end user's sessions tried again, without the name", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    const action = "session.retry-failed";
    const after = { status: "failed", endUserId: ada, sessions: 3 };
    const line = { accountId: account.accountId, action, subject: account.projectId, after };
    await prisma().$transaction((tx) => recordAudit(tx, OPERATOR, line));
    await erase(account, ada);
    const kept = await prisma().auditEntry.findFirstOrThrow({ where: { action, accountId: account.accountId } });
    expect(kept).toMatchObject({ subject: account.projectId, after: { ...after, endUserId: ERASED_END_USER } });
  });

  it("keeps what the audit log says of a key or a person whose id an end user bears", async () => {
    const account = await createTestAccount();
    const { userId } = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId } });
    const lines = () =>
      db().query("SELECT action, subject, before FROM audit_log WHERE account_id = $1 AND subject = $2", [
        account.accountId,
        userId,
      ]);
    await prisma().$transaction((tx) =>
      recordAudit(tx, OPERATOR, {
        accountId: account.accountId,
        action: "team.remove",
        subject: userId,
        before: { role: "owner" },
      }),
    );
    const { rows: before } = await lines();
    await busyTurn(account, userId, "plain");
    await erase(account, userId);
    expect((await lines()).rows).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it("leaves everything of another account's end user of the same name", async () => {
    const [mine, theirs] = [await createTestAccount({ credits: 100 }), await createTestAccount({ credits: 100 })];
    const name = canary();
    for (const account of [mine, theirs]) await fullEndUser(account, name);
    await exportOf(theirs, name);
    await busyTurn(theirs, name, name, false);
    await requestExport(OPERATOR, theirs, name);
    const before = await rowsOf(theirs);
    await erase(mine, name);
    expect(await rowsOf(theirs)).toEqual(before);
  });

  it("cancels what is running and gives its credits back", async () => {
    const account = await createTestAccount({ credits: 10 });
    const ada = canary();
    await busyTurn(account, ada, ada, false);
    await erase(account, ada);
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
    expect(await findInFiles(stage.dataDir, ada)).toEqual([]);
    expect(await checkBooks(account.accountId)).toMatchObject({ balance: 10, reserved: 0, isClean: true });
  });

  it("waits with the books for a turn that is being settled, whose line it would miss", async () => {
    const account = await createTestAccount();
    const { accountId, projectId } = account;
    const waiting = async () =>
      (
        await db().query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).rowCount;
    let erasing: Promise<void> | undefined;
    await inTransaction(async (tx) => {
      await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [accountId]);
      const request = { id: newId("dataRequest"), accountId, projectId, endUserId: "ada", startedAt: new Date() };
      erasing = eraseFromBooks(request);
      await expect.poll(waiting).toBe(1);
    });
    await erasing;
  });

  it("adds several erased end users up under one name that no client can use", async () => {
    const account = await createTestAccount();
    for (const endUser of [canary(), canary()]) {
      await busyTurn(account, endUser, endUser);
      await erase(account, endUser);
    }
    const { rows } = await db().query(
      "SELECT end_user_id AS name, requests, credits FROM usage_days WHERE project_id = $1",
      [account.projectId],
    );
    expect(rows).toEqual([{ name: ERASED_END_USER, requests: 2, credits: 4 }]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, used: 4 });
  });
});
