import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countWaits } from "@/e2e/support/count-waits";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db, hotDb, inTransaction } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponseAfterwards } from "@/lib/services/idempotency/keep-response";
import { startBatch } from "@/lib/services/process/start-batch";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { startTurn } from "@/lib/services/turns/start-turn";
import { writeEnds } from "@/lib/services/turns/write-ends";

/** Where the database is some milliseconds away, an account's calls go no faster than its row is held by each of them. */

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "far-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir }));
afterAll(() => rm(dataDir, { recursive: true }));

function upload({ principal }: TestAccount) {
  const stream = (async function* () {
    yield Buffer.from("content");
  })();
  return storeUpload(principal, { name: "file.txt", contentType: "text/plain", stream });
}

async function keyOf({ principal }: TestAccount, key: string): Promise<IdempotencyClaim> {
  const opened = await claimKey(principal, { key, requestHash: Buffer.from(key), requestId: "req_test", status: 202 });
  if (!("claim" in opened)) throw new Error("It was answered before.");
  return opened.claim;
}

const FILE_CALL = {
  endpoint: "POST /process",
  requestId: "req_test",
  input: "Read it.",
  inputNames: ["prompt"],
} as const;

/** Whose wait for the account's row has an end: no call of its own says so. */
const IN_TURN = expect.stringMatching(/^BEGIN; SET LOCAL lock_timeout = \d+$/);

describe("accepting", () => {
  it("takes the account's row with the last statement before the commit: a file and a key come before it", async () => {
    const account = await createTestAccount();
    const call = { ...FILE_CALL, files: [await upload(account)] };
    const key = await keyOf(account, "process");
    const { statements } = await countWaits(() => startTurn(account.principal, call, key, (accepted) => accepted));
    expect(statements.slice(-5)).toEqual([
      IN_TURN,
      "adopt-upload",
      "keep-idempotent-response",
      "accept-new-sessions",
      "COMMIT",
    ]);
  });

  it("does so for a batch, too", async () => {
    const account = await createTestAccount();
    const files = [await upload(account), await upload(account)];
    const context = { requestId: "req_test", idempotency: await keyOf(account, "batch") };
    const { statements } = await countWaits(() => startBatch(account.principal, { prompt: "x" }, files, context));
    expect(statements.slice(-4)).toEqual([IN_TURN, "keep-idempotent-response", "accept-batch", "COMMIT"]);
  });

  it("names the file in the session that it begins, and in none that it continues", async () => {
    const account = await createTestAccount();
    const send = async (sessionId?: string) =>
      acceptTurn(account.principal, chatTurn({ kind: "process", sessionId, files: [await upload(account)] }));
    const first = await send();
    const second = await send(first.sessionId);
    const { rows } = await db().query(
      `SELECT f.turn_id, f.id = s.file_id AS named FROM stored_files f JOIN sessions s ON s.id = f.session_id
       WHERE s.id = $1 ORDER BY f.created_at`,
      [first.sessionId],
    );
    expect(rows).toEqual([
      { turn_id: first.turnId, named: true },
      { turn_id: second.turnId, named: false },
    ]);
  });

  it.each([
    ["of missing credits before it speaks of a file that is gone", 0, "INSUFFICIENT_CREDITS"],
    ["of the file when there are credits", 10, "SERVICE_UNAVAILABLE"],
  ])("speaks %s, and leaves nothing", async (_what, credits, code) => {
    const account = await createTestAccount({ credits });
    const files = [await upload(account), await upload(account)];
    await db().query("DELETE FROM pending_uploads WHERE storage_key = $1", [files[1]?.storageKey]);
    await expect(acceptTurn(account.principal, chatTurn({ kind: "process", files }))).rejects.toMatchObject({ code });
    const { rows } = await db().query(
      `SELECT (SELECT count(*) FROM sessions WHERE project_id = $1) AS sessions,
              (SELECT count(*) FROM stored_files WHERE project_id = $1) AS files,
              (SELECT count(*) FROM pending_uploads WHERE project_id = $1) AS pending,
              (SELECT credit_reserved FROM accounts WHERE id = $2) AS reserved`,
      [account.projectId, account.accountId],
    );
    expect(rows).toEqual([{ sessions: 0, files: 0, pending: 1, reserved: 0 }]);
  });

  it("keeps the answer of a call with a key once", async () => {
    const account = await createTestAccount();
    const key = await keyOf(account, "once");
    await startTurn(account.principal, { ...FILE_CALL, files: [] }, key, (accepted) => accepted);
    expect((await countWaits(() => keepResponseAfterwards(key, {}))).statements).toEqual([]);
  });
});

describe("ending", () => {
  const begin = async (account: TestAccount, count: number, isOneSession: boolean) => {
    const turns = [await acceptTurn(account.principal, chatTurn())];
    const sessionId = isOneSession ? turns[0]?.sessionId : undefined;
    while (turns.length < count) turns.push(await acceptTurn(account.principal, chatTurn({ sessionId })));
    return turns;
  };

  it("holds a session's rows for less than one wait for each of its turns that it cancels", async () => {
    const account = await createTestAccount();
    const sessionId = (await begin(account, 18, true))[0]?.sessionId ?? "";
    const { waitsToCommit } = await countWaits(async () => expect(await cancelTurns(sessionId)).toBe(18));
    expect(waitsToCommit).toBeLessThan(18);
  });

  it("waits no more often when many fail together than when two do", async () => {
    const account = await createTestAccount();
    const end = { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "It failed." } as const;
    const waitsOf = async (count: number) => {
      const endings = (await begin(account, count, false)).map(({ turnId }) => ({ turnId, generation: null, end }));
      const endAll = () => inTransaction((tx, sendCommit) => writeEnds(tx, endings, sendCommit), hotDb());
      return (await countWaits(endAll)).waits;
    };
    await waitsOf(2);
    expect(await waitsOf(15)).toBe(await waitsOf(2));
  });
});
