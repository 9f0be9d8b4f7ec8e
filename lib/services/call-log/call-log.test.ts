import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { callEntryOf as entryOf } from "@/e2e/support/call-entries";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import type { CallScope } from "@/lib/services/call-log/call-row";
import { listCalls } from "@/lib/services/call-log/list-calls";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

const list = async (scope: CallScope) => (await listCalls(scope, { limit: 100 })).data;

async function startTurn({ principal }: TestAccount, requestId: string) {
  return acceptTurn(principal, chatTurn({ requestId, creditsToReserve: 5 }));
}

function complete(turnId: string, credits: number) {
  return endTurn(turnId, null, completedEnd({ credits }));
}

describe("the call log", () => {
  it("gives back what was written, whatever is in the texts", async () => {
    const account = await createTestAccount();
    const entry = entryOf(account, {
      endUserId: "ada",
      errorCode: "NOT_FOUND",
      status: 404,
      summary: { invalid: ["a"] },
    });
    await writeCalls([entry]);
    const { isStart: _isStart, accountId: _accountId, receivedAtMs: _receivedAtMs, ...fields } = entry;
    expect(await list(account)).toEqual([{ ...fields, createdAt: expect.any(String), turnId: null, credits: 0 }]);
  });

  it("keeps one row of a batch that is written twice", async () => {
    const account = await createTestAccount();
    const entries = [entryOf(account), entryOf(account)];
    await writeCalls(entries);
    await writeCalls([...entries, entryOf(account)]);
    expect(await list(account)).toHaveLength(3);
  });

  it("leaves out a row that the database refuses, and keeps the others", async () => {
    const account = await createTestAccount();
    const entries = Array.from({ length: 9 }, () => entryOf(account));
    entries.splice(4, 0, entryOf(account, { userAgent: "nul\0byte" }), entryOf(account, { durationMs: 1e12 }));
    await writeCalls(entries);
    expect(await list(account)).toHaveLength(9);
  });

  it("reads a call's credits from its turn, before and after it ended", async () => {
    const account = await createTestAccount();
    const requestId = `req_${randomUUID()}`;
    const { sessionId, turnId } = await startTurn(account, requestId);
    await writeCalls([
      entryOf(account, { requestId, sessionId, isStart: true }),
      entryOf(account, { endpoint: "GET /chat/:sessionId", sessionId, status: 200 }),
    ]);
    const credits = async () => (await list(account)).map((call) => [call.turnId, call.credits]);
    expect((await credits()).sort()).toEqual(
      [
        [turnId, 0],
        [null, 0],
      ].sort(),
    );
    await complete(turnId, 3);
    expect(await credits()).toContainEqual([turnId, 3]);
    expect(await credits()).toContainEqual([null, 0]);
  });

  it("reads the credits of a batch from all of its turns, and of no others", async () => {
    const account = await createTestAccount();
    const requestId = `req_${randomUUID()}`;
    const turns = [await startTurn(account, requestId), await startTurn(account, requestId)];
    await startTurn(account, `req_${randomUUID()}`);
    for (const { turnId } of turns) await complete(turnId, 4);
    const sessionIds = turns.map(({ sessionId }) => sessionId);
    const [sessionId] = sessionIds;
    const later = chatTurn({ sessionId, requestId: `req_${randomUUID()}`, creditsToReserve: 5 });
    await complete((await acceptTurn(account.principal, later)).turnId, 5);
    await writeCalls([entryOf(account, { requestId, summary: { sessionIds } })]);
    expect((await list(account))[0]).toMatchObject({ credits: 8, turnId: null });
  });

  it("goes by the database's clock: that of a server that is minutes ahead changes nothing", async () => {
    const account = await createTestAccount();
    const receivedAtMs = performance.now() - 5_000;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 60_000 });
    try {
      await writeCalls([entryOf(account, { receivedAtMs })]);
    } finally {
      vi.useRealTimers();
    }
    const { rows } = await db().query<{ age: number }>(
      "SELECT extract(epoch FROM logged_at - created_at)::float8 AS age FROM call_logs WHERE account_id = $1",
      [account.accountId],
    );
    expect(rows[0]?.age).toBeGreaterThanOrEqual(5);
    expect(rows[0]?.age).toBeLessThanOrEqual((performance.now() - receivedAtMs) / 1_000 + 0.001);
  });

  it("pages newest first without gap or repeat, also among rows of the same moment", async () => {
    const account = await createTestAccount();
    const startedAtMs = performance.now();
    const entries = Array.from({ length: 25 }, (_, index) =>
      entryOf(account, { receivedAtMs: startedAtMs + Math.floor(index / 10) }),
    );
    await writeCalls(entries);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listCalls(account, { limit: 7, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(entries.map(({ id }) => id).toReversed());
  });

  it("shows no other account's calls, nor those of another project when one is named", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    await writeCalls([entryOf(mine), entryOf(theirs), entryOf(mine, { projectId: "prj_other" })]);
    expect(await list({ accountId: mine.accountId })).toHaveLength(2);
    expect(await list(mine)).toHaveLength(1);
    expect(await list({ accountId: mine.accountId, projectId: theirs.projectId })).toEqual([]);
  });
});
