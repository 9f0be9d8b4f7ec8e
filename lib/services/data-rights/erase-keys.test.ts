import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInDatabase } from "@/e2e/support/canary-search";
import { callWithKey, takeKey } from "@/e2e/support/keyed-calls";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { requestErasure } from "@/lib/services/data-rights/request-end-user-data";
import { deleteSession } from "@/lib/services/sessions/delete-session";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "erase-keys-"));
});
const database = useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

const canary = () => `canary${randomBytes(6).toString("hex")}`;

async function ask(account: TestAccount, endUserId: string): Promise<string> {
  return (await requestErasure(OPERATOR, account, { endUserId, confirmation: endUserId })).id;
}

describe("erasing the idempotency keys of an end user", () => {
  it("finds the keys of calls on a deleted session whose lines of the log were never written", async () => {
    const account = await createTestAccount();
    const ada = canary();
    const begun = await callWithKey(account, ada, undefined, await takeKey(account, ada, { endUserId: ada }));
    await callWithKey(account, ada, begun.sessionId, await takeKey(account, ada, { sessionId: begun.sessionId }));
    await deleteSession(OPERATOR, account, begun.sessionId);
    expect(await findInDatabase(database.url, ada)).toContain("idempotency_keys");
    const id = await ask(account, ada);
    await eraseEndUser(id);
    await finishErasure(id);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
  });

  it("finds the key of a call that died on its way, and leaves that of one that still is", async () => {
    const account = await createTestAccount();
    const [ada, died, alive] = [canary(), canary(), canary()];
    await callWithKey(account, ada);
    await takeKey(account, died, { endUserId: ada }, 0);
    const claim = await takeKey(account, alive, { endUserId: ada });
    const id = await ask(account, ada);
    await eraseEndUser(id);
    expect(await findInDatabase(database.url, died)).toEqual([]);
    await callWithKey(account, ada, undefined, claim);
    await finishErasure(id);
    expect(await findInDatabase(database.url, alive)).toEqual(["idempotency_keys"]);
  });

  it("leaves the key of who came anew and had their session deleted", async () => {
    const account = await createTestAccount();
    const [ada, anew] = [canary(), canary()];
    await callWithKey(account, ada);
    const id = await ask(account, ada);
    await eraseEndUser(id);
    const { sessionId } = await callWithKey(account, ada, undefined, await takeKey(account, anew, { endUserId: ada }));
    await deleteSession(OPERATOR, account, sessionId);
    await finishErasure(id);
    expect(await findInDatabase(database.url, anew)).toEqual(["idempotency_keys"]);
  });
});
