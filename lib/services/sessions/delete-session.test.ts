import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readBooks } from "@/e2e/support/books";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { openStoredFile } from "@/lib/services/files/open-file";
import { storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { deleteSession } from "@/lib/services/sessions/delete-session";
import { getSessionDetail } from "@/lib/services/sessions/get-session-detail";
import { removeSessions } from "@/lib/services/sessions/remove-sessions";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { fileStoreOf } from "@/lib/storage/select-store";

const OWNER = { kind: "owner", userId: "usr_1", ip: "203.0.113.7" } as const;
const CANARY = "canary-7f3a";

let dataDir: string;
let account: TestAccount;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "delete-session-"));
});
const database = useServiceDatabase(() => ({ DATA_DIR: dataDir }));

beforeEach(async () => {
  account = await createTestAccount();
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => rm(dataDir, { recursive: true }));

function say(more: Partial<TurnInput> = {}) {
  return acceptTurn(account.principal, chatTurn({ input: `Say ${CANARY}`, creditsToReserve: 5, ...more }));
}

async function* bytes() {
  yield Buffer.from(`file of ${CANARY}`);
}

const upload = () => storeUpload(account, { name: "a.txt", contentType: "text/plain", stream: bytes() });
const isStored = async ({ store, storageKey }: UploadDraft) => {
  const stored = await fileStoreOf(store).read(storageKey);
  await stored?.stream.cancel();
  return stored !== null;
};

/** A finished session with a file, an answer, events and a delivery, all with the canary. */
async function makeFull() {
  const file = await upload();
  const { sessionId, turnId } = await say({ files: [file], callbackUrl: "https://client.example/hook" });
  await endTurn(turnId, null, completedEnd({ output: CANARY, tokensIn: 3, tokensOut: 4, credits: 2 }));
  return { sessionId, turnId, file };
}

/** Tables with a row that holds the text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await db().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const hits: string[] = [];
  for (const { name } of rows) {
    const found = await db().query(`SELECT 1 FROM "${name}" t WHERE t::text LIKE $1 LIMIT 1`, [`%${text}%`]);
    if (found.rowCount) hits.push(name);
  }
  return hits;
}

describe("deleteSession", () => {
  it("leaves nothing of what was said: no row with it, no file, no address", async () => {
    const { sessionId, file } = await makeFull();
    expect(await tablesWith(CANARY)).toEqual(
      expect.arrayContaining(["messages", "session_events", "sessions", "turns", "webhook_deliveries"]),
    );
    await deleteSession(OWNER, account, sessionId);
    expect(await tablesWith(CANARY)).toEqual([]);
    expect(await isStored(file)).toBe(false);
    await expect(openStoredFile(file.storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(getSessionDetail(account, sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { rows } = await db().query("SELECT count(*) AS n FROM pending_uploads");
    expect(rows[0].n).toBe(0);
  });

  it("leaves other sessions, the charge and a line in the audit log", async () => {
    const [gone, kept] = [await makeFull(), await makeFull()];
    await deleteSession(OWNER, account, gone.sessionId);
    expect((await getSessionDetail(account, kept.sessionId)).turns[0]?.files).toHaveLength(1);
    expect(await isStored(kept.file)).toBe(true);
    const books = await readBooks(database.url, account.accountId);
    expect(books).toMatchObject({ balance: 996, ledger: 996, reserved: 0 });
    const { rows } = await db().query("SELECT * FROM audit_log WHERE subject = $1", [gone.sessionId]);
    expect(rows).toMatchObject([
      {
        account_id: account.accountId,
        action: "session.delete",
        actor_kind: "owner",
        actor_id: "usr_1",
        ip: "203.0.113.7",
        before: { kind: "chat", status: "completed", turns: 1, files: 1 },
      },
    ]);
    await deleteSession(OWNER, account, kept.sessionId);
  });

  it("cancels queued and running work first, which costs nothing", async () => {
    const { sessionId, turnId } = await say();
    await say({ sessionId });
    await claimTurn(turnId);
    await deleteSession(OWNER, account, sessionId);
    await expect(getSessionDetail(account, sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await readBooks(database.url, account.accountId)).toMatchObject({ balance: 1_000, reserved: 0 });
    // The worker that still has it finds its turn gone.
    expect(await endTurn(turnId, 1, completedEnd({ output: CANARY }))).toBe(false);
    expect(await tablesWith(CANARY)).toEqual([]);
  });

  it("promises no credits to a call that comes while its session is deleted", async () => {
    const { sessionId } = await makeFull();
    let call: Promise<unknown> = Promise.resolve();
    await inTransaction(async (tx) => {
      await tx.query("SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE", [sessionId]);
      call = say({ sessionId }).then(
        () => "accepted",
        (error) => error,
      );
      await expect
        .poll(async () => {
          const { rows } = await db().query(
            "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
          );
          return rows[0].n;
        })
        .toBe(1);
      await tx.query("DELETE FROM webhook_deliveries WHERE session_id = $1", [sessionId]);
      await tx.query("DELETE FROM sessions WHERE id = $1", [sessionId]);
    });
    expect(await call).toMatchObject({ code: "NOT_FOUND" });
    expect(await readBooks(database.url, account.accountId)).toMatchObject({ reserved: 0 });
    await db().query("DELETE FROM stored_files");
  });

  it("of many deletions and calls at once leaves the session whole or gone, and the books right", async () => {
    for (let round = 0; round < 10; round++) {
      const { sessionId, file } = await makeFull();
      const calls = Array.from({ length: 6 }, () => say({ sessionId }));
      const deletions = Array.from({ length: 2 }, () => deleteSession(OWNER, account, sessionId));
      await Promise.allSettled([...calls, ...deletions]);
      const { rows } = await db().query("SELECT count(*) AS n FROM sessions WHERE id = $1", [sessionId]);
      expect(await isStored(file)).toBe(rows[0].n === 1);
      if (rows[0].n === 1) await deleteSession(OWNER, account, sessionId);
    }
    expect(await readBooks(database.url, account.accountId)).toMatchObject({ reserved: 0, balance: 980, ledger: 980 });
  });

  it.each([
    ["fails", () => Promise.reject(new Error("disk away"))],
    ["says nothing, for which nobody waits", () => new Promise<never>(() => {})],
  ])("leaves files to the next sweep when their store %s", async (_what, answer) => {
    const { sessionId, file } = await makeFull();
    const store = fileStoreOf("disk");
    const remove = vi.spyOn(store, "remove").mockImplementation(answer);
    await deleteSession(OWNER, account, sessionId);
    await expect(openStoredFile(file.storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    remove.mockRestore();
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await isStored(file)).toBe(false);
  });

  it("is one deletion when two people press at once: the second finds nothing", async () => {
    const { sessionId } = await makeFull();
    const both = await whileHeld(
      { statement: "SELECT FROM sessions WHERE id = $1 FOR UPDATE", id: sessionId },
      () => deleteSession(OWNER, account, sessionId),
      () => deleteSession(OWNER, account, sessionId),
    );
    expect(both).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "NOT_FOUND" } }]);
    const lines = await db().query("SELECT FROM audit_log WHERE action = 'session.delete' AND subject = $1", [
      sessionId,
    ]);
    expect(lines.rowCount).toBe(1);
  });

  it("takes nothing of a session to which a call just adds work", async () => {
    const { sessionId, file } = await makeFull();
    const adding = { statement: "UPDATE sessions SET open_turns = open_turns + 1 WHERE id = $1", id: sessionId };
    const [deleted] = await whileHeld(adding, () => deleteSession(OWNER, account, sessionId));
    expect(deleted).toMatchObject({ status: "rejected", reason: { code: "NOT_READY" } });
    await expect(openStoredFile(file.storageKey)).resolves.toMatchObject({ name: "a.txt" });
    expect((await getSessionDetail(account, sessionId)).id).toBe(sessionId);
  });

  it("removes of many sessions none to which a call just adds work", async () => {
    const { sessionId } = await makeFull();
    const adding = { statement: "UPDATE sessions SET open_turns = open_turns + 1 WHERE id = $1", id: sessionId };
    const [removed] = await whileHeld(adding, () => inTransaction((tx) => removeSessions(tx, [sessionId])));
    expect(removed).toEqual({ status: "fulfilled", value: {} });
    const { rows } = await db().query("SELECT count(*) AS turns FROM turns WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([{ turns: 1 }]);
  });

  it("removes of many sessions none in which a turn is open: its work goes on, and is charged", async () => {
    const [{ sessionId: idle }, { sessionId: open }] = [await makeFull(), await say()];
    const remove = () => inTransaction((tx) => removeSessions(tx, [idle, open]));
    expect(await remove()).toMatchObject({ sessions: 1, turns: 1 });
    expect((await getSessionDetail(account, open)).turns).toHaveLength(1);
    expect(await remove()).toEqual({});
  });

  it("does not find another account's session, and leaves it whole", async () => {
    const { sessionId, file } = await makeFull();
    const other = await createTestAccount();
    for (const scope of [
      other,
      { ...account, projectId: other.projectId },
      { ...other, projectId: account.projectId },
    ]) {
      await expect(deleteSession(OWNER, scope, sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await isStored(file)).toBe(true);
    expect((await getSessionDetail(account, sessionId)).turns).toHaveLength(1);
  });
});
