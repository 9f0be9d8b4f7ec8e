import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { sessionFilterQuery } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { exportSessionsCsv } from "@/lib/services/sessions/export-sessions-csv";
import { auditedFilters, searchSessions } from "@/lib/services/sessions/search-sessions";
import { createTemplate } from "@/lib/services/templates/create-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const say = (input: string, more: Partial<TurnInput> = {}, on = account) =>
  acceptTurn(on.principal, chatTurn({ requestId: newId("request"), input, creditsToReserve: 5, ...more }));

/** Its lines, the head first. */
async function read(filters: Record<string, unknown> = {}, on = account): Promise<string[]> {
  let text = "";
  for await (const piece of exportSessionsCsv(on, sessionFilterQuery.parse(filters))) text += piece;
  return text.trimEnd().split("\r\n");
}

describe("sessions as CSV", () => {
  it("say what the list says of each, newest first, and no spreadsheet runs them", async () => {
    const template = await createTemplate(account, { name: "=T()", promptTemplate: "x" });
    const first = await say("=2+2\n and what follows", { endUserId: "ada", reference: "+1", template });
    const answer = "Only in the conversation";
    await endTurn(first.turnId, null, completedEnd({ output: answer, tokensIn: 30, tokensOut: 12, credits: 2 }));
    const second = await say("A later one");
    const { data } = await searchSessions(account, { limit: 10 });
    const times = (id: string) => data.find((one) => one.id === id);
    const [head, ...lines] = await read();
    expect(head).toBe(
      "createdAt,lastActivityAt,id,kind,status,errorCode,input,endUserId,reference,templateId,template,inputs,tokensUsed,creditsUsed",
    );
    expect(lines).toEqual(
      [
        [second.sessionId, "chat,started,,A later one,,,,,1,0,0"],
        [first.sessionId, `chat,completed,,'=2+2 and what follows,ada,'+1,${template.id},'=T(),1,42,2`],
      ].map(([id = "", rest]) => `${times(id)?.createdAt},${times(id)?.lastActivityAt},${id},${rest}`),
    );
    expect(lines.join()).not.toContain(answer);
  });

  it("are what the filters let through, of this project alone", async () => {
    const ada = await say("One", { endUserId: "ada" });
    const file = await say("Two", { kind: "process", endUserId: "ada" });
    await say("Three", { endUserId: "bob" });
    await say("Four", { endUserId: "ada" }, await addTestProject(account, "Beside"));
    const ids = async (filters: Record<string, unknown>) =>
      (await read(filters)).slice(1).map((line) => line.split(",")[2]);
    expect(await ids({ endUserId: "ada" })).toEqual([file.sessionId, ada.sessionId]);
    expect(await ids({ endUserId: "ada", kind: "chat" })).toEqual([ada.sessionId]);
    const named = await say("Five", { reference: "Order 7" });
    expect(await ids({ reference: "Order 7" })).toEqual([named.sessionId]);
    expect(await ids({ q: ada.sessionId })).toEqual([ada.sessionId]);
    expect(await ids({ q: "bob", status: "completed" })).toEqual([]);
    expect(await ids({ words: "three" })).toHaveLength(1);
    expect(await ids({ words: "two", endUserId: "ada" })).toEqual([file.sessionId]);
    expect(await read({}, await createTestAccount())).toHaveLength(1);
  });

  it("are whole beyond one batch, each once", async () => {
    await db().query(
      `INSERT INTO sessions (id, account_id, project_id, kind, status, created_at)
       SELECT 'ses_' || $2 || n, $1, $2, 'chat', 'completed', now() - n / 700 * interval '1 second' FROM generate_series(1, 1500) n`,
      [account.accountId, account.projectId],
    );
    const lines = (await read()).slice(1);
    expect(lines).toHaveLength(1_500);
    expect(new Set(lines.map((line) => line.split(",")[2])).size).toBe(1_500);
  });
});

describe("the filters that the audit log keeps", () => {
  it("have an end user who was searched for where erasing looks for them, and ids as they were", () => {
    const q = newId("session");
    expect(auditedFilters({ q, kind: "chat" })).toEqual({ q, kind: "chat" });
    expect(auditedFilters({ q: "ada" })).toEqual({ endUserId: "ada" });
    expect(auditedFilters({ words: "of ada" })).toEqual({ hasWords: true });
    expect(auditedFilters({ reference: "ada" })).toEqual({ hasReference: true });
    expect(auditedFilters({ endUserId: "ada" })).toEqual({ endUserId: "ada", q: undefined });
  });
});
