import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { sessionFilterQuery } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { exportAnswersCsv } from "@/lib/services/sessions/export-answers-csv";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const INVOICE = object({ number: {}, status: {}, supplier: object({ name: {} }), lines: { type: "array" } });
const FIXED =
  "createdAt,sessionId,turn,files,input,endUserId,reference,templateId,template,status,errorCode,creditsUsed";

/** A turn that was accepted, and ended with an answer where there is one. */
async function ask(input: string, output: string | null, more: Partial<TurnInput> = {}, on = account) {
  const turn = chatTurn({ requestId: newId("request"), input, creditsToReserve: 5, ...more });
  const accepted = await acceptTurn(on.principal, turn);
  if (output !== null) await endTurn(accepted.turnId, null, completedEnd({ output, credits: 2 }));
  return accepted;
}

/** Its lines, the head first. */
async function read(filters: Record<string, unknown> = {}, on = account): Promise<string[]> {
  let text = "";
  for await (const piece of exportAnswersCsv(on, sessionFilterQuery.parse(filters))) text += piece;
  return text.trimEnd().split("\r\n");
}

/** Of each line what comes behind the time and the session's id. */
const behindIds = (lines: string[]) => lines.map((line) => line.split(",").slice(2).join(","));

describe("answers as CSV", () => {
  it("have a column for each value of their schema, with every digit, and each answer as it was written", async () => {
    const answer = '{"number":12345678901234567890,"status":"paid","supplier":{"name":"=Ada"},"lines":[{"sum":1.10}]}';
    await ask("Read it", answer, { outputSchema: INVOICE, endUserId: "ada", reference: "R-1" });
    const [head, ...lines] = await read();
    expect(head).toBe(`${FIXED},number,answer.status,supplier.name,lines,answer`);
    expect(behindIds(lines)).toEqual([
      `1,,Read it,ada,R-1,,,completed,,2,12345678901234567890,paid,'=Ada,"[{""sum"":1.10}]","${answer.replaceAll('"', '""')}"`,
    ]);
  });

  it("have a column each for a value within another and for one that is called so, and run no name as a formula", async () => {
    await ask("One", '{"a":{"b":1},"=c":2}', { outputSchema: object({ a: object({ b: {} }), "=c": {} }) });
    await ask("Two", '{"a.b":3}', { outputSchema: object({ "a.b": {} }) });
    const [head, ...lines] = await read();
    expect(head).toBe(`${FIXED},a.b,a.b,'=c,answer`);
    expect(behindIds(lines).map((line) => line.split(",").slice(10, 13))).toEqual([
      ["3", "", ""],
      ["", "1", "2"],
    ]);
  });

  it("have a line for each turn, newest sessions first and their turns in order, also where nothing was answered", async () => {
    const first = await ask("One", "The first", { outputSchema: undefined });
    await ask("Two", '{"total":7}', { sessionId: first.sessionId, outputSchema: object({ total: {} }) });
    const failed = await ask("Three", null, { outputSchema: INVOICE });
    await endTurn(failed.turnId, null, {
      status: "failed",
      errorCode: "OUTPUT_SCHEMA_NOT_MET",
      errorMessage: "It did not fit.",
      reason: "no",
    });
    await ask("Four", null);
    const [head, ...lines] = await read();
    expect(head).toBe(`${FIXED},number,answer.status,supplier.name,lines,total,answer`);
    expect(behindIds(lines)).toEqual([
      "1,,Four,,,,,queued,,0,,,,,,",
      "1,,Three,,,,,failed,OUTPUT_SCHEMA_NOT_MET,0,,,,,,",
      "1,,One,,,,,completed,,2,,,,,,The first",
      '2,,Two,,,,,completed,,2,,,,,7,"{""total"":7}"',
    ]);
  });

  it("have no line for a call that was tried again, and one for the call that took its place", async () => {
    const failure = { status: "failed", errorCode: "MODEL_TIMEOUT", errorMessage: "Too slow.", reason: "no" } as const;
    const failed = await ask("One", null);
    await endTurn(failed.turnId, null, failure);
    const retryOf = { turnId: failed.turnId, position: 0, files: 0 };
    const again = await ask("One", null, { sessionId: failed.sessionId, retryOf });
    await endTurn(again.turnId, null, failure);
    expect(behindIds((await read()).slice(1))).toEqual(["2,,One,,,,,failed,MODEL_TIMEOUT,0,"]);
    const more = { sessionId: failed.sessionId, retryOf: { turnId: again.turnId, position: 1, files: 0 } };
    await ask("One", "Here it is", more);
    expect(behindIds((await read()).slice(1))).toEqual(["3,,One,,,,,completed,,2,Here it is"]);
  });

  it("are those that the filters let through, of this project alone, as are their columns", async () => {
    await ask("Mine", '{"a":1}', { endUserId: "ada", outputSchema: object({ a: {} }) });
    await ask("His", '{"b":1}', { endUserId: "bob", outputSchema: object({ b: {} }) });
    await ask(
      "Beside",
      '{"c":1}',
      { endUserId: "ada", outputSchema: object({ c: {} }) },
      await addTestProject(account, "B"),
    );
    const lines = await read({ endUserId: "ada" });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(`${FIXED},a,answer`);
    expect(lines[1]).toContain(",Mine,ada,");
    expect(await read({}, await createTestAccount())).toEqual([`${FIXED},answer`]);
  });

  it("are whole beyond one part of a session and beyond one page of sessions, each once", async () => {
    await db().query(
      `WITH made AS (
         INSERT INTO sessions (id, account_id, project_id, kind, status, created_at)
         SELECT 'ses_' || $2 || '-' || n, $1, $2, 'chat', 'completed', now() - n * interval '1 second'
         FROM generate_series(1, 1010) n RETURNING id)
       INSERT INTO turns (id, session_id, account_id, project_id, position, status, endpoint, request_id, input, open_status, output)
       SELECT id || '.' || n, id, $1, $2, n, 'completed', 'POST /chat', 'req', 'Hello', 'started', 'Answer ' || n
       FROM made, generate_series(0, CASE WHEN id LIKE '%-%09' THEN 49 ELSE 0 END) n`,
      [account.accountId, account.projectId],
    );
    const lines = (await read()).slice(1).map((line) => line.split(","));
    expect(lines).toHaveLength(1010 + 10 * 49);
    expect(new Set(lines.map(([, id, turn]) => `${id} ${turn}`)).size).toBe(lines.length);
    const long = lines.filter(([, id]) => id === `ses_${account.projectId}-1009`);
    expect(long.map(([, , turn]) => Number(turn))).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  });
});
