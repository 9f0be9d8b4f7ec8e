import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { type SessionListQuery, sessionListQuery, turnPlaceQuery } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { getSessionDetail } from "@/lib/services/sessions/get-session-detail";
import { searchSessions } from "@/lib/services/sessions/search-sessions";
import { createTemplate } from "@/lib/services/templates/create-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

function say(input: string, more: Partial<TurnInput> = {}, on = account) {
  const turn = chatTurn({ requestId: newId("request"), input, creditsToReserve: 5, ...more });
  return acceptTurn(on.principal, turn);
}

const DONE = completedEnd({ tokensIn: 30, tokensOut: 12, credits: 2 });
const complete = (turnId: string) => endTurn(turnId, null, DONE);

const query = (more: Record<string, unknown> = {}): SessionListQuery => sessionListQuery.parse(more);
const found = async (more: Record<string, unknown>, on = account) =>
  (await searchSessions(on, query(more))).data.map(({ id }) => id);

describe("searchSessions", () => {
  it("says of each what the owner has to know, newest first", async () => {
    const template = await createTemplate(account, { name: "T", promptTemplate: "x" });
    const first = await say("  Hello\n\n there ", { endUserId: "ada", template });
    await complete(first.turnId);
    const second = await say("The text", { kind: "process", prompt: "Read this", sessionId: undefined });
    const { data, nextCursor } = await searchSessions(account, query());
    expect(nextCursor).toBeNull();
    expect(data.map(({ id }) => id)).toEqual([second.sessionId, first.sessionId]);
    expect(data[0]).toMatchObject({ kind: "process", status: "started", preview: "Read this", tokensUsed: 0 });
    expect(data[1]).toEqual({
      id: first.sessionId,
      kind: "chat",
      status: "completed",
      endUserId: "ada",
      reference: null,
      templateId: template.id,
      preview: "Hello there",
      fileName: null,
      turnCount: 1,
      tokensUsed: 42,
      creditsUsed: 2,
      errorCode: null,
      createdAt: expect.stringMatching(/Z$/),
      lastActivityAt: expect.stringMatching(/Z$/),
    });
  });

  it("filters by all that is given together", async () => {
    const ada = await say("a", { endUserId: "ada" });
    const bob = await say("b", { endUserId: "bob" });
    await complete(bob.turnId);
    const file = await say("c", { kind: "process", endUserId: "bob" });
    await db().query("UPDATE sessions SET created_at = '2026-01-31T23:59:59.999Z' WHERE id = $1", [ada.sessionId]);
    expect(await found({ endUserId: "bob" })).toEqual([file.sessionId, bob.sessionId]);
    expect(await found({ endUserId: "bob", kind: "chat" })).toEqual([bob.sessionId]);
    expect(await found({ status: "started", kind: "process" })).toEqual([file.sessionId]);
    expect(await found({ to: "2026-01-31" })).toEqual([ada.sessionId]);
    expect(await found({ to: "2026-01-30" })).toEqual([]);
    expect(await found({ from: "2026-01-31", to: "2026-01-31T23:59:59.999Z" })).toEqual([]);
    expect(await found({ from: "2026-01-31", to: "2026-02-01T01:00:00+01:00" })).toEqual([ada.sessionId]);
  });

  it("finds a session by any id that belongs to it", async () => {
    const requestId = newId("request");
    const turn = await say("a", { requestId, endUserId: "ada" });
    const batch = [await say("b"), await say("c")];
    const [fileId, deliveryId, callId, batchRequestId] = [
      newId("file"),
      newId("delivery"),
      newId("call"),
      newId("request"),
    ];
    const owner = [account.accountId, account.projectId, turn.sessionId];
    await db().query(
      `INSERT INTO stored_files (id, account_id, project_id, session_id, purpose, store, storage_key, url, name, content_type,
                                 size, sha256) VALUES ($4, $1, $2, $3, 'input', 'disk', $4, 'u', 'n', 't', 1, 'x')`,
      [...owner, fileId],
    );
    await db().query(
      `INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, session_id, url, event, body, dedupe_key)
       VALUES ($4, gen_random_uuid(), $1, $2, $3, 'https://x.example', 'completion', '{}', $4)`,
      [...owner, deliveryId],
    );
    const { accountId, projectId, apiKeyId } = account.principal;
    const call = { accountId, projectId, apiKeyId, path: "/", status: 202, errorCode: null, durationMs: 1, ip: null };
    const rest = {
      userAgent: null,
      endUserId: null,
      isStart: false,
      receivedAtMs: performance.now(),
      endpoint: "POST /chat",
    };
    const sessionIds = batch.map(({ sessionId }) => sessionId);
    await writeCalls([
      { ...call, ...rest, id: callId, requestId, sessionId: turn.sessionId, summary: {} },
      { ...call, ...rest, id: newId("call"), requestId: batchRequestId, sessionId: null, summary: { sessionIds } },
    ]);
    for (const q of [turn.sessionId, turn.turnId, requestId, fileId, deliveryId, callId, ` ${turn.turnId} `, "ada"]) {
      expect(await found({ q }), q).toEqual([turn.sessionId]);
    }
    expect((await found({ q: batchRequestId })).sort()).toEqual(sessionIds.sort());
    const other = await createTestAccount();
    for (const q of [turn.sessionId, turn.turnId, requestId, fileId, deliveryId, callId, "ada", newId("turn"), "'"]) {
      expect(await found({ q }, other), q).toEqual([]);
    }
  });

  it("pages without gap or repeat, also among sessions of the same moment", async () => {
    const made = [];
    for (let index = 0; index < 12; index++) made.push((await say(`${index}`)).sessionId);
    await db().query("UPDATE sessions SET created_at = now() WHERE project_id = $1", [account.projectId]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await searchSessions(account, query({ limit: "5", cursor }));
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(made.toSorted().toReversed());
  });

  it("shows nothing of another account or project", async () => {
    const other = await createTestAccount();
    await say("secret", {}, other);
    expect(await found({})).toEqual([]);
    expect(await found({}, { ...account, projectId: other.projectId })).toEqual([]);
  });

  it.each([{ status: "done" }, { kind: "x" }, { from: "31.1.2026" }, { q: "" }, { limit: "101" }])(
    "refuses %j",
    (filters) => expect(sessionListQuery.safeParse(filters).success).toBe(false),
  );
});

describe("getSessionDetail", () => {
  it("shows each turn with what went in and came out, and its credits", async () => {
    const template = await createTemplate(account, { name: "T", promptTemplate: "x" });
    const first = await say("One", { fileContent: "x".repeat(5_000), template, endUserId: "ada", maxCredits: 9 });
    const receipt = {
      files: [],
      history: { messages: 0, leftOut: 0 },
      tokens: { system: 1, knowledge: 0, memory: 0, history: 0, files: 0, input: 2, total: 3 },
    };
    await endTurn(first.turnId, null, { ...DONE, context: receipt });
    const { sessionId } = first;
    const second = await say("Two", { sessionId });
    await endTurn(second.turnId, null, { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." });
    const third = await say("Three", { sessionId });
    const detail = await getSessionDetail(account, sessionId);
    expect(detail).toMatchObject({
      status: "resumed",
      openTurns: 1,
      turnCount: 3,
      lastOutput: "Yes.",
      creditsUsed: 2,
      tokensIn: 30,
      tokensOut: 12,
      earlierTurns: 0,
      error: null,
    });
    expect(detail.turns.map(({ id, status }) => [id, status])).toEqual([
      [first.turnId, "completed"],
      [second.turnId, "failed"],
      [third.turnId, "queued"],
    ]);
    expect(detail.turns[0]).toMatchObject({
      position: 0,
      input: "One",
      output: "Yes.",
      fileContent: { characters: 5_000, preview: "x".repeat(2_000) },
      template: { id: template.id, version: 1 },
      context: receipt,
      creditsUsed: 2,
      creditsReserved: 0,
      maxCredits: 9,
      model: "gpt-4.1-mini",
    });
    expect(detail.turns[1]).toMatchObject({ error: { code: "INTERNAL_ERROR", message: "No." }, output: null });
    expect(detail.turns[2]).toMatchObject({ creditsReserved: 5, endedAt: null, context: null, files: [] });
  });

  it("shows with each turn its files, but for those whose bytes are gone", async () => {
    const first = await say("One");
    await endTurn(first.turnId, null, DONE);
    const second = await say("Two", { sessionId: first.sessionId });
    const files: [name: string, turnId: string, purpose: string, deletedAt: Date | null][] = [
      ["sent.txt", first.turnId, "input", null],
      ["gone.txt", first.turnId, "input", new Date()],
      ["made.png", second.turnId, "output", null],
    ];
    for (const [name, turnId, purpose, deletedAt] of files) {
      await db().query(
        `INSERT INTO stored_files (id, account_id, project_id, session_id, turn_id, purpose, store, storage_key, url, name,
                                   content_type, size, sha256, deleted_at)
         VALUES ($4, $1, $2, $3, $5, $6, 'disk', $4, 'u', $7, 't', 1, 'x', $8)`,
        [account.accountId, account.projectId, first.sessionId, newId("file"), turnId, purpose, name, deletedAt],
      );
    }
    const { turns } = await getSessionDetail(account, first.sessionId);
    expect(turns.map((turn) => turn.files.map(({ name, purpose }) => [name, purpose]))).toEqual([
      [["sent.txt", "input"]],
      [["made.png", "output"]],
    ]);
  });

  it("tells what happened in order: turns, retries, memory, deliveries", async () => {
    const { sessionId, turnId } = await say("One", { endUserId: "ada", callbackUrl: "https://client.example/hook" });
    await claimTurn(turnId);
    const heard = { stage: "heard", done: 0, total: 65, covers: "call.mp3" };
    await db().query(
      `INSERT INTO session_events (session_id, seq, turn_id, type, data)
       VALUES ($1, 1, $2, 'reset', '{}'), ($1, 2, $2, 'progress', $3)`,
      [sessionId, turnId, JSON.stringify({ sessionId, ...heard })],
    );
    await complete(turnId);
    await db().query(
      `WITH p AS (INSERT INTO memory_profiles (project_id, end_user_id, content) VALUES ($1, 'ada', 'x'))
       INSERT INTO memory_versions (project_id, end_user_id, version, content, session_id, turn_id)
       VALUES ($1, 'ada', 1, 'x', $2, $3)`,
      [account.projectId, sessionId, turnId],
    );
    const later = "now() + interval '1 minute'";
    await db().query(`UPDATE memory_versions SET created_at = ${later} WHERE session_id = $1`, [sessionId]);
    const { timeline } = await getSessionDetail(account, sessionId);
    expect(timeline.map(({ kind }) => kind).filter((kind) => kind !== "delivery")).toEqual([
      "session.created",
      "turn.accepted",
      "turn.started",
      "turn.retried",
      "turn.progress",
      "turn.completed",
      "memory.updated",
    ]);
    expect(timeline.find(({ kind }) => kind === "turn.progress")).toEqual({
      at: expect.any(String),
      kind: "turn.progress",
      turnId,
      ...heard,
    });
    expect(timeline.find(({ kind }) => kind === "delivery")).toMatchObject({
      event: "completion",
      url: "https://client.example/hook",
      status: "pending",
      attempts: 0,
      deliveredAt: null,
    });
  });

  it.each(["2147483648", "1e400", "-1", "a\u0000"])("opens a session whose address says %j at its end", (before) => {
    expect(turnPlaceQuery.parse({ before })).toEqual({ before: undefined });
  });

  it("goes back in a long session by position", async () => {
    const { sessionId } = await say("0");
    for (let index = 1; index < 53; index++) await say(`${index}`, { sessionId });
    const newest = await getSessionDetail(account, sessionId);
    expect([newest.turns[0]?.position, newest.turns.at(-1)?.position, newest.earlierTurns]).toEqual([3, 52, 3]);
    const earlier = await getSessionDetail(account, sessionId, newest.turns[0]?.position);
    expect(earlier.turns.map(({ input }) => input)).toEqual(["0", "1", "2"]);
    expect(earlier.earlierTurns).toBe(0);
  });

  it("shows of long turns as many as a page can lay out, the newest at least, and goes back from there", async () => {
    const { sessionId } = await acceptTurn(account.principal, chatTurn({ input: "a".repeat(90_000) }));
    for (const letter of ["b", "c", "d"]) {
      await acceptTurn(account.principal, chatTurn({ sessionId, input: letter.repeat(60_000) }));
    }
    const shown = async (before?: number) => {
      const { turns, earlierTurns } = await getSessionDetail(account.principal, sessionId, before);
      return { turns: turns.map(({ input }) => input[0]).join(""), earlierTurns };
    };
    expect(await shown()).toEqual({ turns: "cd", earlierTurns: 2 });
    expect(await shown(2)).toEqual({ turns: "ab", earlierTurns: 0 });
  });

  it("answers the same for another account's session and a missing one", async () => {
    const { sessionId } = await say("x");
    const other = await createTestAccount();
    for (const [scope, id] of [
      [other, sessionId],
      [{ ...account, projectId: other.projectId }, sessionId],
      [{ ...other, projectId: account.projectId }, sessionId],
      [account, newId("session")],
      [account, "\0"],
    ] as const) {
      await expect(getSessionDetail(scope, id)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "The session was not found.",
      });
    }
  });
});
