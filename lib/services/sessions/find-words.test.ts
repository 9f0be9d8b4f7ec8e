import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { type FoundSession, sessionListQuery } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { findWords, type SearchBounds } from "@/lib/services/sessions/find-words";
import { getSessionDetail } from "@/lib/services/sessions/get-session-detail";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

/** A turn with its answer; gives its session. */
async function talk(input: string, output: string, more: Partial<TurnInput> = {}, on = account): Promise<string> {
  const turn = chatTurn({ requestId: newId("request"), input, ...more });
  const { sessionId, turnId } = await acceptTurn(on.principal, turn);
  await endTurn(turnId, null, completedEnd({ output }));
  return sessionId;
}

async function sendFile(sessionId: string, name: string, purpose = "input"): Promise<void> {
  await db().query(
    `INSERT INTO stored_files (id, account_id, project_id, session_id, turn_id, purpose, store, storage_key, url, name,
                               content_type, size, sha256)
     SELECT $2, account_id, project_id, session_id, id, $4, 'disk', $2, 'u', $3, 't', 1, 'x' FROM turns WHERE session_id = $1`,
    [sessionId, newId("file"), name, purpose],
  );
}

const search = (words: string, more: Record<string, unknown> = {}, bounds?: SearchBounds, on = account) =>
  findWords(on, words, sessionListQuery.parse(more), bounds);
const idsOf = (data: FoundSession[]) => data.map(({ id }) => id);
const found = async (words: string, more: Record<string, unknown> = {}) => idsOf((await search(words, more)).data);
const marked = ({ found: { excerpt } }: FoundSession) =>
  excerpt.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join("");

describe("findWords", () => {
  it("finds what was asked and what was answered, newest first, and shows where", async () => {
    const asked = await talk("Where is invoice 4711?", "In the post.");
    const answered = await talk("Which one?", "It is **Invoice**\nNo. 4711.");
    await talk("Where is invoice 4712?", "Here.");
    const { data, nextCursor } = await search("4711 invoice");
    expect(idsOf(data)).toEqual([answered, asked]);
    expect(nextCursor).toBeNull();
    expect(data.map(marked)).toEqual(["It is **[Invoice]** No. [4711].", "Where is [invoice] [4711]?"]);
    expect(data.map((session) => session.found.place)).toEqual(["answer", "question"]);
    expect(data[1]).toMatchObject({ kind: "chat", status: "completed", preview: "Where is invoice 4711?" });
  });

  it("wants all words in one message, and those in quotation marks together", async () => {
    const together = await talk("net price in 30 days", "Yes.");
    const phrase = await talk("payable net 30", "Yes.");
    await talk("net", "30");
    expect(await found("30 NET")).toEqual([phrase, together]);
    expect(await found('"net 30"')).toEqual([phrase]);
  });

  it("takes letters of any language in either case, and signs of patterns for what they are", async () => {
    const umlaut = await talk("ÄRGER mit der Straße", "Жалоба");
    const percent = await talk("50% of a_b\\c", "x");
    await talk("500 of aXbXc", "x");
    expect(await found("ärger STRAßE")).toEqual([umlaut]);
    expect(await found("жалоба")).toEqual([umlaut]);
    expect(await found("50% a_b\\c")).toEqual([percent]);
  });

  it("finds words whose marks stand apart from the letters, as a Mac writes names of files", async () => {
    const sent = await talk("See the file", "I see it.");
    await sendFile(sent, "Übersicht März.pdf".normalize("NFD"));
    const asked = await talk(`${"word ".repeat(200)}Übersicht März`.normalize("NFD"), "Here.");
    for (const form of ["NFC", "NFD"]) {
      const { data } = await search("märz übersicht".normalize(form));
      expect(idsOf(data)).toEqual([asked, sent]);
      expect(data.map(marked)).toEqual([expect.stringContaining(" [Übersicht] [März]"), "[Übersicht] [März].pdf"]);
    }
  });

  it("finds files that were sent by their names, and none that the AI made or that is erased", async () => {
    const sent = await talk("Read", "Yes.");
    await sendFile(sent, "Contract-Müller.pdf");
    const made = await talk("Draw", "Yes.");
    await sendFile(made, "contract-müller.png", "output");
    const erased = await talk("Read", "Yes.");
    await sendFile(erased, "contract-müller.pdf");
    await db().query("UPDATE stored_files SET deleted_at = now() WHERE session_id = $1", [erased]);
    const { data } = await search("müller contract");
    expect(idsOf(data)).toEqual([sent]);
    expect(data.map(marked)).toEqual(["[Contract]-[Müller].pdf"]);
    expect(data[0]?.found.place).toBe("file");
  });

  it("holds to the other filters", async () => {
    const ada = await talk("apple", "x", { endUserId: "ada" });
    const bob = await talk("apple", "x", { endUserId: "bob", kind: "process" });
    expect(await found("apple", { endUserId: "ada" })).toEqual([ada]);
    expect(await found("apple", { kind: "process", status: "completed" })).toEqual([bob]);
    expect(await found("apple", { to: "2020-01-01" })).toEqual([]);
  });

  it("never looks into another project", async () => {
    const other = await createTestAccount();
    await talk("apple", "x", {}, other);
    const mixed = { accountId: account.accountId, projectId: other.projectId };
    expect(await found("apple")).toEqual([]);
    expect((await findWords(mixed, "apple", sessionListQuery.parse({}))).data).toEqual([]);
  });

  it("shows the newest turn that has them, and whether it is among those that the session opens with", async () => {
    const long = "x".repeat(99_990);
    const sessionId = await talk("apple one", "Yes.");
    await talk("apple two", "Yes.", { sessionId });
    await talk("pear", "Yes.", { sessionId });
    await talk(long, "Yes.", { sessionId });
    const [near] = (await search("apple")).data;
    expect(near?.found).toMatchObject({ position: 1, isOnNewestPage: false });
    expect((await search("pear")).data[0]?.found).toMatchObject({ position: 2, isOnNewestPage: true });
    const shown = (await getSessionDetail(account, sessionId)).turns.map(({ position }) => position);
    expect(shown).toEqual([2, 3]);
  });

  it("goes on from where a full page ended", async () => {
    const ids = [];
    for (const number of [1, 2, 3]) ids.unshift(await talk(`apple ${number}`, "x"));
    const page = await search("apple", { limit: "2" });
    expect(idsOf(page.data)).toEqual(ids.slice(0, 2));
    const rest = await search("apple", { limit: "2", cursor: page.nextCursor ?? "" });
    expect(idsOf(rest.data)).toEqual(ids.slice(2));
    expect(rest.nextCursor).toBeNull();
  });

  it.each<[what: string, bounds: SearchBounds]>([
    ["sessions", { sessions: 1, bytes: 1_000_000, milliseconds: 0 }],
    ["bytes", { sessions: 100, bytes: 1, milliseconds: 0 }],
  ])("stops at its bounds of %s, and goes on from there until it has looked through all", async (_, bounds) => {
    const apple = await talk("apple", "x");
    await talk("pear", "x");
    await talk("pear", "x");
    const pages: string[][] = [];
    let cursor: string | null | undefined;
    do {
      const page = await search("apple", cursor ? { cursor } : {}, bounds);
      pages.push(idsOf(page.data));
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages).toEqual([[], [], [apple], []]);
  });

  it("looks through many sessions at once within its time", async () => {
    const apple = await talk("apple", "x");
    await talk("pear", "x");
    await talk("pear", "x");
    const page = await search("apple", {}, { sessions: 1, bytes: 1, milliseconds: 60_000 });
    expect(idsOf(page.data)).toEqual([apple]);
    expect(page.nextCursor).toBeNull();
  });

  it("cuts a long message to where the first word is", async () => {
    await talk(`${"before ".repeat(5_000)}the apple ${"after ".repeat(5_000)}`, "x");
    const [session] = (await search("apple")).data;
    expect(session && marked(session)).toMatch(/^…(before ){1,8}the \[apple\] (after ){10,}after…$/);
  });
});

describe("sessionListQuery", () => {
  it("refuses words without a word", () => {
    expect(sessionListQuery.safeParse({ words: '""' }).success).toBe(false);
    expect(sessionListQuery.safeParse({ words: "a" }).success).toBe(true);
  });
});
