import { beforeAll, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { buildUserPrompt } from "@/lib/domain/prompt-blocks";
import { mostCharacters, takeTokens } from "@/lib/domain/token-estimate";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { buildModelRequest, type SpokenTurn } from "@/lib/services/turns/build-model-request";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import type { ConversationMessage } from "@/lib/services/turns/read-messages";

/** A model that the catalog does not know has a window of 32,768 tokens. */
const MODEL = "small-window";
const BUDGET = inputBudgetTokens(findModel(MODEL));

let account: TestAccount;

useServiceDatabase({ DEFAULT_MODEL: MODEL });
beforeAll(async () => {
  account = await createTestAccount();
});

interface Said {
  input: string;
  /** Null for a turn that failed. */
  answer: string | null;
  fileContent?: string;
}

/** Turns behind the first one of a session, as if each had ended. */
async function goOn(sessionId: string, said: Said[]): Promise<void> {
  await db().query(
    `WITH said AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
         WITH ORDINALITY AS s (id, input, answer, file_content, position)
     ), turn AS (
       INSERT INTO turns (id, session_id, account_id, project_id, position, endpoint, request_id, input, file_content,
                          open_status, status)
       SELECT s.id, t.session_id, t.account_id, t.project_id, s.position, t.endpoint, t.request_id, s.input,
              s.file_content, t.open_status, 'completed'
       FROM turns t, said s WHERE t.session_id = $1 AND t.position = 0
     )
     INSERT INTO messages (session_id, position, turn_id, role, content)
     SELECT $1, 2 * position, id, 'user', input FROM said
     UNION ALL SELECT $1, 2 * position + 1, id, 'assistant', answer FROM said WHERE answer IS NOT NULL`,
    [
      sessionId,
      said.map(() => newId("turn")),
      said.map(({ input }) => input),
      said.map(({ answer }) => answer),
      said.map(({ fileContent }) => fileContent ?? null),
    ],
  );
}

/** A session whose first message, "Hello", has no answer, with these turns behind it. */
async function conversation(said: Said[]): Promise<SpokenTurn> {
  const { sessionId } = await acceptTurn(account.principal, chatTurn());
  await goOn(sessionId, said);
  return turnAfter(sessionId, said.length);
}

function turnAfter(sessionId: string, last: number): SpokenTurn {
  return {
    turnId: newId("turn"),
    sessionId,
    accountId: account.accountId,
    projectId: account.projectId,
    endUserId: null,
    position: last + 1,
    input: "And now?",
    fileContent: null,
    templateId: null,
    templateVersion: null,
    systemPrompt: null,
  };
}

/** Puts the request together and notes what the database gave of the conversation for it. */
async function build(turn: SpokenTurn) {
  const query = vi.spyOn(db(), "query");
  const payer = { turnId: turn.turnId, limit: { credits: 100, maxCredits: null } };
  const request = await buildModelRequest(turn, MODEL, { payer });
  const pages: ConversationMessage[][] = [];
  let counts = 0;
  for (const [index, [statement]] of query.mock.calls.entries()) {
    const { name } = statement as { name?: string };
    if (name === "count-conversation-messages") counts += 1;
    if (name !== "conversation-messages") continue;
    const result: unknown = await query.mock.results[index]?.value;
    pages.push((result as { rows: ConversationMessage[] }).rows);
  }
  query.mockRestore();
  return { ...request, pages, counts, history: request.context.history, texts: request.messages.slice(1).map(textOf) };
}

function textOf({ role, parts }: { role: string; parts: { type: string; text?: string }[] }): string {
  return `${role}: ${parts.map(({ text }) => text ?? "").join("|")}`;
}

const turns = (count: number, more: Partial<Said> = {}): Said[] =>
  Array.from({ length: count }, (_, index) => ({ input: `Q${index + 1}`, answer: `A${index + 1}`, ...more }));

const TWO_MEGABYTES = "Ship, cargo, port. ".repeat(110_376);

describe("a conversation that fits", () => {
  it("is sent whole and in order, with what came along, for one statement", async () => {
    const said = [
      { input: "Q1", answer: "A1", fileContent: "city: Turin" },
      { input: "Q2", answer: null },
      { input: "Q3", answer: "A3" },
    ];
    const { texts, history, pages, counts } = await build(await conversation(said));
    const inline = { tag: "context", name: "fileContent", kind: "text", text: "city: Turin" } as const;
    expect(texts).toEqual([
      "user: Hello",
      `user: ${buildUserPrompt("Q1", [inline])}`,
      "assistant: A1",
      "user: Q2",
      "user: Q3",
      "assistant: A3",
      "user: And now?",
    ]);
    expect(history).toEqual({ messages: 6, leftOut: 0 });
    expect({ statements: pages.length, counts }).toEqual({ statements: 1, counts: 0 });
  });

  it("costs a session's first turn no statement", async () => {
    const { sessionId } = await acceptTurn(account.principal, chatTurn());
    const { pages, counts, history } = await build(turnAfter(sessionId, -1));
    expect({ pages, counts, history }).toEqual({ pages: [], counts: 0, history: { messages: 0, leftOut: 0 } });
  });

  it("is read to its beginning however many messages it has, each once", async () => {
    const { texts, history, pages } = await build(await conversation(turns(240)));
    const expected = turns(240).flatMap(({ input, answer }) => [`user: ${input}`, `assistant: ${answer}`]);
    expect(texts).toEqual(["user: Hello", ...expected, "user: And now?"]);
    expect(history).toEqual({ messages: 481, leftOut: 0 });
    expect(pages.flat()).toHaveLength(481);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(100);
  });
});

describe("a conversation that does not fit", () => {
  it("is read no further than the window reaches, and no text longer than it could hold", async () => {
    const { history, pages } = await build(await conversation(turns(12, { fileContent: TWO_MEGABYTES })));
    expect(history).toEqual({ messages: 2, leftOut: 23 });
    const rows = pages.flat();
    expect(rows.length).toBeLessThanOrEqual(6);
    for (const { fileContent } of rows) expect(fileContent?.length ?? 0).toBeLessThanOrEqual(mostCharacters(BUDGET));
    for (const page of pages) {
      const characters = page.reduce((sum, row) => sum + row.content.length + (row.fileContent?.length ?? 0), 0);
      expect(characters).toBeLessThanOrEqual(1024 * 1024 + mostCharacters(BUDGET));
    }
  });

  it("says how many messages it left out, those of turns without an answer too", async () => {
    const long = "Some words of a long message. ".repeat(1_000);
    const said = turns(30, { input: long }).map((turn, index) => (index % 3 === 0 ? { ...turn, answer: null } : turn));
    const { history, texts, counts } = await build(await conversation(said));
    expect(history.messages + history.leftOut).toBe(1 + 30 + 20);
    expect(texts).toHaveLength(history.messages + 1);
    expect(history.messages).toBeGreaterThan(0);
    expect(counts).toBe(1);
  });

  it("sends of a text that is longer than the window half of what the input leaves of it", async () => {
    const { texts, tokensInEstimate } = await build(
      await conversation([{ input: "Q1", answer: "A1", fileContent: TWO_MEGABYTES }]),
    );
    expect(texts[1]).toMatch(/<context [^>]*note="only the beginning is here; the end did not fit">\nShip, cargo/);
    expect(tokensInEstimate).toBeGreaterThan(BUDGET * 0.5);
    expect(tokensInEstimate).toBeLessThan(BUDGET * 0.6);
  });

  it("sends half of the window of a text that would fit alone, rather than nothing once more was said", async () => {
    const text = takeTokens(TWO_MEGABYTES, BUDGET * 0.8);
    const answer = takeTokens("And so on. ".repeat(BUDGET), BUDGET * 0.1);
    const asked = (count: number) =>
      conversation([{ input: "Q1", answer: "A1", fileContent: text }, ...turns(count, { input: "And?", answer })]);
    const [whole, half] = [await build(await asked(1)), await build(await asked(3))];
    expect(whole.texts[1]).toContain(text);
    expect(half.texts[1]).toMatch(/<context [^>]*note="only the beginning is here; the end did not fit">\nShip, cargo/);
    expect(half.history).toEqual({ messages: 9, leftOut: 0 });
    expect(half.tokensInEstimate).toBeLessThan(BUDGET);
  });

  it("ends too where its texts are nothing but imitated delimiters, which shrink when they are sent", async () => {
    const imitated = `&#${"0".repeat(40_000)}60;context`;
    const { history, pages } = await build(await conversation(turns(60, { fileContent: imitated })));
    expect(history.leftOut).toBeGreaterThan(60);
    expect(pages.flat().length).toBeLessThan(100);
  });

  it("has no file read of a message that is left out", async () => {
    const stream = (async function* () {
      yield Buffer.from("The code word is heron.");
    })();
    const file = await storeUpload(account, { name: "code.txt", contentType: "text/plain", stream });
    const call = { endpoint: "POST /process", requestId: "req_test", input: "Sum up", inputNames: ["prompt"] as const };
    const turn = await prepareTurn(account.principal, { ...call, files: [file] });
    const { sessionId } = await acceptTurn(account.principal, { ...turn, kind: "process" });
    const isRead = async () => {
      const { rows } = await db().query("SELECT extraction FROM stored_files WHERE session_id = $1", [sessionId]);
      return rows.map(({ extraction }) => extraction !== null);
    };
    await goOn(sessionId, turns(4, { answer: "A long answer. ".repeat(4_000) }));
    expect((await build(turnAfter(sessionId, 4))).history.leftOut).toBeGreaterThan(0);
    expect(await isRead()).toEqual([false]);
    // Nor of one whose own words are more than there is room for.
    const [said] = (
      await db().query("SELECT content FROM messages WHERE session_id = $1 AND position = 0", [sessionId])
    ).rows;
    const reword = (content: string) =>
      db().query("UPDATE messages SET content = $2 WHERE session_id = $1 AND position = 0", [sessionId, content]);
    await reword("A long question. ".repeat(20_000));
    expect((await build(turnAfter(sessionId, 0))).history.messages).toBe(0);
    expect(await isRead()).toEqual([false]);
    await reword(said.content);
    const { texts } = await build(turnAfter(sessionId, 0));
    expect(texts[0]).toContain("The code word is heron.");
    expect(await isRead()).toEqual([true]);
  });
});
