import { beforeEach, describe, expect, it } from "vitest";
import { receivedAt } from "@/e2e/support/received-at";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addPlaygroundKey, addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { type CallFilters, callListQuery } from "@/lib/contracts/call-log";
import { db } from "@/lib/db/pool";
import { encodeCursor } from "@/lib/domain/cursor";
import { newId } from "@/lib/domain/ids";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";
import { getCall } from "@/lib/services/call-log/get-call";
import { listCalls, listCallsQuery } from "@/lib/services/call-log/list-calls";
import { listCallsAfter } from "@/lib/services/call-log/tail-calls";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

function entry(more: Partial<CallLogEntry> = {}, { principal } = account): CallLogEntry {
  const { accountId, projectId, apiKeyId } = principal;
  return {
    ...{ id: newId("call"), accountId, projectId, apiKeyId, requestId: newId("request"), endpoint: "POST /chat" },
    ...{ path: "/api/v1/chat", status: 202, errorCode: null, durationMs: 12, ip: "203.0.113.9", userAgent: null },
    ...{ sessionId: null, endUserId: null, isStart: false, summary: {}, receivedAtMs: performance.now() },
    ...more,
  };
}

const ids = async (filters: CallFilters) =>
  (await listCalls(account, { ...filters, limit: 100 })).data.map(({ id }) => id).sort();

describe("the log's filters", () => {
  it("let through what they name, and combine", async () => {
    const plain = entry();
    const listed = entry({
      endpoint: "GET /chat/sessions",
      status: 200,
      receivedAtMs: receivedAt(new Date("2026-01-31T10:00:00Z")),
    });
    const refused = entry({ status: 404, errorCode: "NOT_FOUND", endUserId: "ada" });
    const failed = entry({ status: 500, ip: "2001:db8::1", apiKeyId: "key_other", endUserId: "ada" });
    await writeCalls([plain, listed, refused, failed]);
    const expected: [CallFilters, CallLogEntry[]][] = [
      [{ endpoint: "GET /chat/sessions" }, [listed]],
      [{ status: "2xx" }, [plain, listed]],
      [{ status: "4xx" }, [refused]],
      [{ status: "5xx" }, [failed]],
      [{ keyId: "key_other" }, [failed]],
      [{ ip: "203.0.113.9", status: "2xx" }, [plain, listed]],
      [{ ip: "2001:db8::1" }, [failed]],
      [{ errorCode: "NOT_FOUND" }, [refused]],
      [{ errorCode: "RATE_LIMITED" }, []],
      [{ endUserId: "ada" }, [refused, failed]],
      [{ endUserId: "ada", status: "4xx" }, [refused]],
      [{ requestId: plain.requestId }, [plain]],
      [{ to: new Date("2026-02-01T00:00:00Z") }, [listed]],
      // The moment itself is within what begins with it, and not in what ends with it: two days side by side share no call.
      [{ to: new Date("2026-01-31T10:00:00Z") }, []],
      [{ from: new Date("2026-01-31T10:00:00Z"), to: new Date("2026-02-01T00:00:00Z") }, [listed]],
      [{ from: new Date("2026-02-01T00:00:00Z"), endpoint: "GET /chat/sessions" }, []],
    ];
    for (const [filters, calls] of expected) {
      expect(await ids(filters), JSON.stringify(filters)).toEqual(calls.map(({ id }) => id).sort());
    }
  });

  it("take the calls of all of the playground's keys together, those that ended too, of this project alone", async () => {
    const other = await addTestProject(account, "Other");
    const made = [await addPlaygroundKey(account), await addPlaygroundKey(account)];
    await db().query(
      "UPDATE api_keys SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE id = $1",
      [made[0]],
    );
    const theirs = entry({ apiKeyId: await addPlaygroundKey(other) }, other);
    const calls = made.map((apiKeyId) => entry({ apiKeyId }));
    await writeCalls([entry(), theirs, ...calls]);
    expect(await ids({ keyId: "playground" })).toEqual(calls.map(({ id }) => id).sort());
    expect(await ids({ keyId: calls[0]?.apiKeyId ?? "" })).toEqual([calls[0]?.id]);
    const all = await listCalls({ accountId: account.accountId }, { keyId: "playground", limit: 100 });
    expect(all.data).toHaveLength(3);
  });

  it("come from an address, which may not ask for anything else", () => {
    const query = callListQuery.parse({ status: "5xx", from: "2026-01-01", to: "2026-01-31", ip: "::1", page: "x" });
    expect(query).toEqual({
      status: "5xx",
      from: new Date("2026-01-01T00:00:00.000Z"),
      to: new Date("2026-02-01T00:00:00.000Z"),
      ip: "::1",
      limit: 50,
    });
    for (const wrong of [
      { status: "404" },
      { errorCode: "NO_SUCH_CODE" },
      { ip: "here" },
      { from: "2026-02-30" },
      { endUserId: "a b" },
      { limit: 0 },
    ]) {
      expect(callListQuery.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
  });

  it("each read an index of their own: nothing is scanned", async () => {
    // Every tenth row is the project's own.
    await db().query(
      `INSERT INTO call_logs (id, account_id, project_id, api_key_id, request_id, endpoint, path, status, duration_ms, ip,
                              end_user_id, created_at)
       SELECT 'log_' || n, CASE n % 10 WHEN 0 THEN $1 ELSE 'acc_' || n % 10 END,
              CASE n % 10 WHEN 0 THEN $2 ELSE 'prj_' || n % 10 END, 'key_' || n / 10 % 40, 'req_' || n,
              'GET /' || n / 10 % 30, '/', CASE n / 10 % 97 WHEN 0 THEN 404 ELSE 200 END, 1, '203.0.113.' || n / 10 % 250,
              CASE n / 10 % 5 WHEN 0 THEN 'user' || n / 10 % 100 END, now() - n * interval '1 second'
       FROM generate_series(1, 20000) n`,
      [account.accountId, account.projectId],
    );
    await db().query("ANALYZE call_logs");
    const expected: [CallFilters, string][] = [
      [{}, "call_logs_project_id_created_at_id_idx"],
      [{ endpoint: "GET /7" }, "call_logs_project_id_endpoint_created_at_id_idx"],
      [{ keyId: "key_7" }, "call_logs_project_id_api_key_id_created_at_id_idx"],
      [{ ip: "203.0.113.7" }, "call_logs_project_id_ip_created_at_id_idx"],
      [{ endUserId: "user5" }, "call_logs_end_user_named_idx"],
      // Of so few, the index that has them by endpoint is as good, or that of all accounts.
      [{ status: "4xx" }, "refused_idx"],
      [{ status: "4xx", endpoint: "GET /7" }, "call_logs_endpoint_refused_idx"],
      [{ status: "3xx" }, "call_logs_redirected_idx"],
      [{ status: "5xx" }, "failed_idx"],
      [{ errorCode: "RATE_LIMITED" }, "call_logs_code_refused_idx"],
      [{ requestId: "req_7" }, "call_logs_request_id_idx"],
      [{ sessionId: newId("session") }, "call_logs_session_named_idx"],
    ];
    for (const [filters, index] of expected) {
      const { text, values } = listCallsQuery(account, { ...filters, limit: 50 });
      const { rows } = await db().query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      const plan = rows.map((line) => line["QUERY PLAN"]).join("\n");
      expect(plan, JSON.stringify(filters)).toContain(index);
      expect(plan).not.toContain("Seq Scan on call_logs");
    }
    await db().query("DELETE FROM call_logs");
  });
});

describe("getCall", () => {
  it("finds a call by its own id, its request's and its session's, with its key and what it started", async () => {
    const requestId = newId("request");
    const turn = chatTurn({ endpoint: "POST /process/batch", requestId, creditsToReserve: 5 });
    const turns = [await acceptTurn(account.principal, turn), await acceptTurn(account.principal, turn)];
    const batch = entry({ requestId, summary: { sessionIds: turns.map(({ sessionId }) => sessionId) } });
    const read = entry({ sessionId: turns[0]?.sessionId ?? "", status: 200 });
    await writeCalls([batch, read]);
    const detail = await getCall(account, requestId);
    expect(detail).toMatchObject({
      id: batch.id,
      requestId,
      apiKey: { id: account.principal.apiKeyId, name: "Test", hint: account.apiKey.slice(-4) },
      turns: turns.map(({ turnId: id, sessionId }) => ({ id, sessionId, status: "queued", creditsUsed: 0 })),
    });
    expect(await getCall(account, batch.id)).toEqual(detail);
    expect((await getCall(account, read.id)).turns).toEqual([]);
    // The batch names no one of its many sessions, and is a call of each all the same.
    const [first, second] = turns.map(({ sessionId }) => sessionId);
    expect(await ids({ sessionId: first })).toEqual([batch.id, read.id].sort());
    expect(await ids({ sessionId: second })).toEqual([batch.id]);
    expect((await listCalls(await createTestAccount(), { sessionId: first, limit: 100 })).data).toEqual([]);
  });

  it("answers the same for another project's call and a missing one", async () => {
    const theirs = await createTestAccount();
    const call = entry({}, theirs);
    // Of the same account, too: an id of one project finds nothing in another.
    const besides = entry({}, await addTestProject(account, "Besides"));
    await writeCalls([call, besides]);
    await expect(getCall(account, besides.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (const id of [call.id, call.requestId, newId("call"), newId("request"), "x", "log_\u0000"]) {
      const failure = { code: "NOT_FOUND", message: "The call was not found." };
      await expect(getCall(account, id)).rejects.toMatchObject(failure);
      await expect(getCall({ ...account, projectId: theirs.projectId }, id)).rejects.toMatchObject(failure);
    }
  });
});

describe("the live tail", () => {
  const look = (cursor?: string, more: Partial<CallFilters> & { limit?: number; settleSeconds?: number } = {}) =>
    listCallsAfter(account, { limit: 100, settleSeconds: 0, cursor, ...more });

  /** Until all that is written is settled: another millisecond has begun. */
  async function follow(cursor: string, count: number, filters: Parameters<typeof look>[1] = {}) {
    const seen: string[] = [];
    let next = cursor;
    await expect
      .poll(async () => {
        const tail = await look(next, filters);
        seen.push(...tail.calls.map(({ id }) => id));
        next = tail.cursor;
        return seen.length;
      })
      .toBe(count);
    return { seen, cursor: next };
  }

  it("begins with what is logged from now on", async () => {
    await writeCalls([entry()]);
    const { calls, cursor } = await look();
    expect(calls).toEqual([]);
    await expect.poll(async () => (await look()).cursor > cursor).toBe(true);
  });

  it("gives every call once, in the order of logging, also late ones of an earlier time", async () => {
    const start = await look();
    const slow = entry({ receivedAtMs: performance.now() - 60_000 });
    const first = entry();
    await writeCalls([first]);
    const one = await follow(start.cursor, 1);
    await writeCalls([slow]);
    const two = await follow(one.cursor, 1);
    expect([...one.seen, ...two.seen]).toEqual([first.id, slow.id]);
    expect((await look(two.cursor)).calls).toEqual([]);
  });

  it("goes on within calls that were logged together", async () => {
    const { cursor } = await look();
    const batch = Array.from({ length: 10 }, () => entry());
    await writeCalls(batch);
    expect((await follow(cursor, 10, { limit: 3 })).seen).toEqual(batch.map(({ id }) => id).sort());
  });

  it("takes the list's filters, and shows no one else's calls", async () => {
    const other = await createTestAccount();
    const { cursor } = await look();
    const wanted = entry({ status: 500 });
    await writeCalls([entry(), wanted, entry({ status: 500 }, other)]);
    expect((await follow(cursor, 1, { status: "5xx" })).seen).toEqual([wanted.id]);
  });

  it("holds back what was written a moment ago, for others may still come before it", async () => {
    const { cursor } = await look();
    await writeCalls([entry()]);
    expect((await look(cursor, { settleSeconds: 60 })).calls).toEqual([]);
    await follow(cursor, 1);
  });

  it("never goes back with a clock that was set back: nothing would come twice", async () => {
    const ahead = encodeCursor([new Date(Date.now() + 600_000).toISOString(), ""]);
    await writeCalls([entry()]);
    expect(await look(ahead)).toEqual({ calls: [], cursor: ahead });
  });
});
