import { beforeEach, describe, expect, it } from "vitest";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { balanceOf, readRow } from "@/e2e/support/turn-reads";
import { message, useTurnStage } from "@/e2e/support/turn-stage";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { storeUpload } from "@/lib/services/files/store-upload";
import { startBatch } from "@/lib/services/process/start-batch";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { prepareRetry, type RetryCall } from "@/lib/services/turns/prepare-retry";
import { retryTurn } from "@/lib/services/turns/retry-turn";
import { startTurn } from "@/lib/services/turns/start-turn";

const stage = useTurnStage();

let account: TestAccount;
beforeEach(async () => {
  account = await createTestAccount({ credits: 100 });
});

const ENDPOINT = "POST /chat/:sessionId/retry";

function retry(sessionId: string, more: Partial<RetryCall> = {}, principal = account.principal) {
  const call = { sessionId, endpoint: ENDPOINT, ...more };
  return retryTurn(principal, call, { requestId: newId("request") }, (accepted) => accepted);
}

async function canceled(...turns: Parameters<typeof message>[1][]): Promise<string> {
  let sessionId: string | undefined;
  for (const turn of turns) {
    const more = sessionId === undefined ? turn : { ...turn, sessionId };
    ({ sessionId } = await acceptTurn(account.principal, message("Hello", more)));
    await cancelTurns(sessionId);
  }
  return sessionId ?? "";
}

async function startOne(principal: Principal, maxCredits: number | undefined): Promise<string> {
  const call = {
    endpoint: "POST /chat",
    requestId: newId("request"),
    input: "Hello",
    inputNames: ["message"] as const,
  };
  const more = maxCredits === undefined ? {} : { maxCredits };
  return (await startTurn(principal, { ...call, ...more }, undefined, (accepted) => accepted)).sessionId;
}

async function startInBatch(principal: Principal, maxCredits: number | undefined): Promise<string> {
  const body = { prompt: "Sum up", ...(maxCredits === undefined ? {} : { maxCredits }) };
  const [item] = await startBatch(principal, body, [await textFile("words")], { requestId: newId("request") });
  return item?.sessionId ?? "";
}

function textFile(content: string) {
  const stream = (async function* () {
    yield Buffer.from(content);
  })();
  return storeUpload(account.principal, { name: "words.txt", contentType: "text/plain", stream });
}

/** What stays as it was where nothing is tried again. */
async function stateOf(sessionId: string) {
  const { rows } = await db().query(
    `SELECT (SELECT jsonb_agg(jsonb_build_array(position, turn_id) ORDER BY position) FROM messages WHERE session_id = $1) AS messages,
            (SELECT jsonb_agg(turn_id) FROM stored_files WHERE session_id = $1) AS files,
            (SELECT count(*)::int FROM turns WHERE session_id = $1) AS turns`,
    [sessionId],
  );
  return { ...rows[0], ...(await balanceOf(account)) };
}

describe("what is tried again", () => {
  it("asks once what failed, with its file, its inline text and its schema, and is charged once", async () => {
    const file = await textFile("The harbour has four horses.");
    const outputSchema = { type: "object", properties: { horses: { type: "integer" } } } as const;
    const input = `How many? [[fail:400:1]] [[answer:{"horses": 4}]] ${account.accountId}`;
    const first = await acceptTurn(
      account.principal,
      message(input, {
        kind: "process",
        files: [file],
        fileContent: "city: Turin",
        outputSchema,
        maxCredits: 9,
        endUserId: "ada",
        callbackUrl: "https://client.example/told",
      }),
    );
    await answerTurn(first.turnId, 0);
    expect(await readRow("sessions", first.sessionId)).toMatchObject({ status: "failed" });

    const again = await retry(first.sessionId);
    expect(again).toMatchObject({ status: "resumed", callbackUrl: "https://client.example/told" });
    expect(await answerTurn(again.turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", first.sessionId)).toMatchObject({ status: "completed", error_code: null });
    const turn = await readRow("turns", again.turnId);
    expect(turn).toMatchObject({
      input,
      output: '{"horses": 4}',
      end_user_id: "ada",
      max_credits: 9,
      file_content: "city: Turin",
      endpoint: ENDPOINT,
    });
    const asked = stage.model.journal.filter(({ body }) => JSON.stringify(body).includes(account.accountId));
    const sent = JSON.stringify(asked.at(-1)?.body);
    expect(sent.split("four horses")).toHaveLength(2);
    expect(sent.split("city: Turin")).toHaveLength(2);
    expect(sent.split("How many?")).toHaveLength(2);
    const { messages } = await getChatSession(account.principal, first.sessionId);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(await balanceOf(account)).toMatchObject({ balance: 100 - turn.credits_used, reserved: 0 });
  });

  it("is asked also where its session expired since", async () => {
    const sessionId = await canceled({});
    await db().query("UPDATE sessions SET status = 'expired' WHERE id = $1", [sessionId]);
    expect(await retry(sessionId)).toMatchObject({ sessionId, status: "resumed" });
  });

  it("is the last call alone: what was said before stays before it", async () => {
    const { sessionId, turnId } = await acceptTurn(account.principal, message("First [[answer:One]]"));
    await answerTurn(turnId, 0);
    await acceptTurn(account.principal, message("Second [[answer:Two]]", { sessionId }));
    await cancelTurns(sessionId);
    await answerTurn((await retry(sessionId)).turnId, 0);
    const { messages } = await getChatSession(account.principal, sessionId);
    expect(messages.map(({ content }) => content)).toEqual([
      "First [[answer:One]]",
      "One",
      "Second [[answer:Two]]",
      "Two",
    ]);
  });

  it("takes nothing from the conversation before it, however often it failed", async () => {
    const { sessionId, turnId } = await acceptTurn(account.principal, message("The first [[answer:Remembered]]"));
    await answerTurn(turnId, 0);
    await acceptTurn(account.principal, message(`And now? ${account.accountId}`, { sessionId }));
    for (let times = 0; times < 60; times++) {
      await cancelTurns(sessionId);
      await retry(sessionId);
    }
    await cancelTurns(sessionId);
    await answerTurn((await retry(sessionId)).turnId, 0);
    const asked = stage.model.journal.filter(({ body }) => JSON.stringify(body).includes(account.accountId));
    expect(asked.map(({ body }) => JSON.stringify(body).includes("Remembered"))).toEqual([true]);
  });

  it("is tried again once when two want it at the same time", async () => {
    const sessionId = await canceled({});
    const results = await Promise.allSettled([...Array(8)].map(() => retry(sessionId)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const underWay = { code: "NOT_READY", isRetryable: true };
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(underWay);
    expect((await readRow("sessions", sessionId)).turn_count).toBe(2);
  });

  it("costs no more than the call itself and the project of now allow", async () => {
    const sessionId = await canceled({ maxCredits: 7 });
    const allowances = { ...account.principal.allowances, call: 3 };
    const { turnId } = await retry(sessionId, {}, { ...account.principal, allowances });
    expect(await readRow("turns", turnId)).toMatchObject({ max_credits: 3 });
  });

  it.each([
    ["one", 7, startOne],
    ["one that names nothing", undefined, startOne],
    ["one of a batch", 7, startInBatch],
    ["one of a batch that names nothing", undefined, startInBatch],
  ])("is held to what the call names, no longer to what its project let it cost then: %s", async (_, named, start) => {
    const under = (call: number | null) => ({
      ...account.principal,
      allowances: { ...account.principal.allowances, call },
    });
    const sessionId = await start(under(2), named);
    for (const [limit, holds] of [
      [1, 1],
      [50, named ?? 50],
      [3, 3],
      [null, named ?? null],
    ] as const) {
      await cancelTurns(sessionId);
      const { turnId } = await retry(sessionId, {}, under(limit));
      expect(await readRow("turns", turnId)).toMatchObject({ max_credits: holds });
    }
  });
});

describe("what is not tried again", () => {
  it.each([
    ["queued", "resumed"],
    ["running", "resumed"],
    ["completed", "completed"],
    ["completed", "expired"],
  ])("is a call that is %s in a session that is %s", async (status, ofSession) => {
    const sessionId = await canceled({}, {});
    await db().query("UPDATE sessions SET status = $2 WHERE id = $1", [sessionId, ofSession]);
    const last = "SELECT id FROM turns WHERE session_id = $1 ORDER BY position DESC LIMIT 1";
    await db().query(`UPDATE turns SET status = $2 WHERE id = (${last})`, [sessionId, status]);
    const before = await stateOf(sessionId);
    const isRetryable = status !== "completed";
    await expect(retry(sessionId)).rejects.toMatchObject({ code: "NOT_READY", isRetryable });
    expect(await stateOf(sessionId)).toEqual(before);
  });

  it.each([
    ["a call that another came behind", { code: "NOT_READY", isRetryable: true }, 2],
    ["anything of a session that was deleted", { code: "NOT_FOUND" }, 0],
  ])("is %s since it was found", async (_, refusal, turns) => {
    const sessionId = await canceled({});
    const call = { sessionId, endpoint: ENDPOINT, requestId: newId("request") };
    const again = await prepareRetry(account.principal, call);
    if (turns > 0) await acceptTurn(account.principal, message("What I meant", { sessionId }));
    else await db().query("DELETE FROM sessions WHERE id = $1", [sessionId]);
    const before = await stateOf(sessionId);
    await expect(acceptTurn(account.principal, again)).rejects.toMatchObject(refusal);
    expect(await stateOf(sessionId)).toEqual(before);
    expect(before).toMatchObject({ turns });
  });

  it("is one whose file is kept no longer", async () => {
    const sessionId = await canceled({ kind: "process", files: [await textFile("gone")] });
    await db().query("UPDATE stored_files SET deleted_at = now() WHERE session_id = $1", [sessionId]);
    const before = await stateOf(sessionId);
    await expect(retry(sessionId)).rejects.toMatchObject({ code: "NOT_READY", isRetryable: false });
    expect(await stateOf(sessionId)).toEqual(before);
  });

  it("is anything of another project, another end user, of another kind, or of no session", async () => {
    const sessionId = await canceled({ endUserId: "ada" });
    const other = await addTestProject(account, "Other");
    const wrong = [
      () => retry(sessionId, {}, { ...account.principal, projectId: other.projectId }),
      () => retry(sessionId, { endUserId: "bob" }),
      () => retry(sessionId, { kind: "process" }),
      () => retry(newId("session")),
    ];
    for (const call of wrong) await expect(call()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await readRow("sessions", sessionId)).turn_count).toBe(1);
  });

  it("is anything without credits: its question and its file stay where they are", async () => {
    const sessionId = await canceled({ kind: "process", files: [await textFile("kept")] });
    await db().query("UPDATE accounts SET credit_reserved = credit_balance WHERE id = $1", [account.accountId]);
    const before = await stateOf(sessionId);
    await expect(retry(sessionId)).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
    expect(await stateOf(sessionId)).toEqual(before);
  });
});
