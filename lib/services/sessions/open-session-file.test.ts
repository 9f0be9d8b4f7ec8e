import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { storeUpload } from "@/lib/services/files/store-upload";
import { openSessionFile } from "@/lib/services/sessions/open-session-file";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

let dataDir: string;
let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "session-file-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir }));

beforeEach(async () => {
  [account, other] = await Promise.all([createTestAccount(), createTestAccount()]);
});

afterAll(() => rm(dataDir, { recursive: true }));

async function* bytes() {
  yield Buffer.from("Hello");
}

/** A session with a file. */
async function makeSession(): Promise<{ sessionId: string; fileId: string }> {
  const file = await storeUpload(account, { name: "a.txt", contentType: "text/plain", stream: bytes() });
  const { sessionId } = await acceptTurn(account.principal, chatTurn({ creditsToReserve: 5, files: [file] }));
  const { rows } = await db().query<{ id: string }>("SELECT id FROM stored_files WHERE session_id = $1", [sessionId]);
  return { sessionId, fileId: rows[0]?.id ?? "" };
}

describe("openSessionFile", () => {
  it("opens a file of the session", async () => {
    const { sessionId, fileId } = await makeSession();
    const file = await openSessionFile(account, sessionId, fileId);
    expect(file).toMatchObject({ name: "a.txt", size: 5 });
    expect(await text(await file.read())).toBe("Hello");
  });

  it("answers the same for another session, project or account, a missing file and one that was deleted", async () => {
    const { sessionId, fileId } = await makeSession();
    const second = await makeSession();
    const scopes = [
      [other, sessionId, fileId],
      [{ ...account, projectId: other.projectId }, sessionId, fileId],
      [{ ...account, accountId: other.accountId }, sessionId, fileId],
      [account, second.sessionId, fileId],
      [account, sessionId, newId("file")],
    ] as const;
    for (const [scope, session, file] of scopes) {
      await expect(openSessionFile(scope, session, file)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await db().query("UPDATE stored_files SET deleted_at = now() WHERE id = $1", [fileId]);
    await expect(openSessionFile(account, sessionId, fileId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
