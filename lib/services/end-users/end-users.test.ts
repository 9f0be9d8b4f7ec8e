import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { getEndUser } from "@/lib/services/end-users/get-end-user";
import { listEndUsers } from "@/lib/services/end-users/list-end-users";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { forgetMemory } from "@/lib/services/memory/forget-memory";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

async function chat({ principal }: TestAccount, endUserId: string): Promise<string> {
  const { sessionId, turnId } = await acceptTurn(principal, chatTurn({ creditsToReserve: 2, endUserId }));
  await endTurn(turnId, null, completedEnd({ tokensIn: 100, tokensOut: 20, credits: 2 }));
  return sessionId;
}

async function seen({ projectId }: TestAccount, endUserId: string, at: string): Promise<void> {
  await db().query(
    `INSERT INTO end_users (project_id, end_user_id, created_at, last_seen_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (project_id, end_user_id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    [projectId, endUserId, at],
  );
}

async function allIds(account: TestAccount, search?: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listEndUsers(account, { limit: 2, search, ...(cursor && { cursor }) });
    expect(page.data.length).toBeLessThanOrEqual(2);
    ids.push(...page.data.map(({ endUserId }) => endUserId));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
}

describe("the list of end users", () => {
  it("shows each with sessions and spend, the last seen first", async () => {
    const account = await createTestAccount();
    await chat(account, "ada");
    await chat(account, "ada");
    await seen(account, "ada", "2026-01-02T00:00:00.000Z");
    await seen(account, "bob", "2026-01-03T00:00:00.000Z");
    expect((await listEndUsers(account, { limit: 10 })).data).toEqual([
      expect.objectContaining({
        endUserId: "bob",
        sessions: { count: 0, hasMore: false },
        requests: 0,
        creditsUsed: 0,
      }),
      {
        endUserId: "ada",
        sessions: { count: 2, hasMore: false },
        hasMemory: false,
        requests: 2,
        tokensIn: 200,
        tokensOut: 40,
        creditsUsed: 4,
        createdAt: expect.stringMatching(/Z$/),
        lastSeenAt: "2026-01-02T00:00:00.000Z",
      },
    ]);
  });

  it("gives every end user once, page by page, also of the same moment", async () => {
    const account = await createTestAccount();
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) await seen(account, id, "2026-01-02T00:00:00.000Z");
    expect(await allIds(account)).toEqual([...ids].reverse());
  });

  it("searches by the beginning of the id, in order, and takes wildcards for what they are", async () => {
    const account = await createTestAccount();
    const ids = ["shop_1", "shop_2", "shop_3", "shopX", "Shop_1", "other"];
    for (const id of ids) await seen(account, id, "2026-01-02T00:00:00.000Z");
    expect(await allIds(account, "shop_")).toEqual(["shop_1", "shop_2", "shop_3"]);
    expect(await allIds(account, "%")).toEqual([]);
    expect(await allIds(account, "shop")).toEqual(["shopX", "shop_1", "shop_2", "shop_3"]);
  });

  it("shows none of another project", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    await chat(theirs, "ada");
    expect(await allIds(mine)).toEqual([]);
    expect(await allIds(mine, "a")).toEqual([]);
  });

  it("refuses a cursor that it did not give", async () => {
    const account = await createTestAccount();
    await expect(listEndUsers(account, { limit: 2, cursor: "x" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });
});

describe("one end user", () => {
  it("is shown with usage and memory", async () => {
    const account = await createTestAccount();
    for (const name of ["ada", "ada", "bob"]) await chat(account, name);
    expect(await getEndUser(account, "ada")).toMatchObject({
      sessions: { count: 2 },
      creditsUsed: 4,
      files: 0,
      memory: null,
    });
    await editMemory(OPERATOR, account, { endUserId: "ada", content: "Likes tea." });
    const ada = await getEndUser(account, "ada");
    expect(ada.hasMemory).toBe(true);
    expect(ada.memory).toMatchObject({ version: 1, forgottenAt: null });
    expect(await getEndUser(account, "bob")).toMatchObject({ hasMemory: false, memory: null });
  });

  it("has no memory any more once it was forgotten", async () => {
    const account = await createTestAccount();
    await chat(account, "ada");
    await editMemory(OPERATOR, account, { endUserId: "ada", content: "Likes tea." });
    await forgetMemory(OPERATOR, account, "ada");
    const ada = await getEndUser(account, "ada");
    expect(ada.hasMemory).toBe(false);
    expect(ada.memory).toMatchObject({ forgottenAt: expect.any(String) });
  });

  it("has the files that are there and are theirs: no export, and none of another project's of that name", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    for (const account of [mine, theirs]) await chat(account, "ada");
    await chat(mine, "bob");
    const files: [TestAccount, purpose: string, isGone: boolean][] = [
      [mine, "input", false],
      [mine, "output", false],
      [mine, "input", true],
      [mine, "export", false],
      [theirs, "input", false],
    ];
    for (const [{ accountId, projectId }, purpose, isGone] of files) {
      const id = newId("file");
      await db().query(
        `INSERT INTO stored_files (id, account_id, project_id, end_user_id, purpose, name, content_type, size, sha256,
           storage_key, store, url, deleted_at)
         VALUES ($1, $2, $3, 'ada', $4, 'a.txt', 'text/plain', 1, '', $1, 'disk', '', CASE WHEN $5 THEN now() END)`,
        [id, accountId, projectId, purpose, isGone],
      );
    }
    expect((await getEndUser(mine, "ada")).files).toBe(2);
    expect((await getEndUser(mine, "bob")).files).toBe(0);
  });

  it("is not found in another project", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    await chat(theirs, "ada");
    await expect(getEndUser(mine, "ada")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
