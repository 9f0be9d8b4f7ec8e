import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { setOwnModels } from "@/lib/domain/model-catalog";
import { estimateTokens, mostCharacters } from "@/lib/domain/token-estimate";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { digestSubject } from "@/lib/services/data-rights/digest-subject";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { forgetMemory } from "@/lib/services/memory/forget-memory";
import { getMemory } from "@/lib/services/memory/get-memory";
import { listMemoryVersions } from "@/lib/services/memory/list-memory-versions";
import { loadMemory } from "@/lib/services/memory/load-memory";
import { MemoryChangedError, rememberTurn } from "@/lib/services/memory/remember-turn";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";

let model: ModelServer;
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
const FIRST_PAGE = { limit: 20, offset: 0 };

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl, MODEL_RETRY_DELAYS_SECONDS: "" }));

afterAll(() => model.stop());

async function newOwner(apiMemoryPerUser = true): Promise<TestAccount> {
  const owner = await createTestAccount();
  await prisma().project.update({ where: { id: owner.projectId }, data: { apiMemoryPerUser } });
  return owner;
}

/** A turn that has been answered; gives its ids. */
async function say(owner: TestAccount, input: string, endUserId?: string, sessionId?: string) {
  const accepted = await acceptTurn(owner.principal, chatTurn({ input, endUserId, sessionId }));
  expect(await answerTurn(accepted.turnId, 0)).toEqual({ status: "ended" });
  return accepted;
}

async function memoryEvents(turnId: string) {
  const { rows } = await db().query(
    "SELECT data FROM outbox_events WHERE name = 'memory/due' AND data->>'turnId' = $1",
    [turnId],
  );
  return rows.map(({ data }) => data);
}

/** Another end user of the project, who likes wind. */
async function knowBob(owner: TestAccount): Promise<void> {
  await prisma().endUser.create({ data: { projectId: owner.projectId, endUserId: "bob" } });
  await editMemory(OPERATOR, owner, { endUserId: "bob", content: "- Likes wind" });
}

const journal = (marker: string) => model.journal.filter(({ lastUserText }) => lastUserText.includes(marker));
const contentOf = async (owner: TestAccount, endUserId: string) => (await getMemory(owner, endUserId))?.content;

describe("a completed turn", () => {
  it("asks for an update of its end user's profile when memory is on", async () => {
    const owner = await newOwner();
    const { turnId } = await say(owner, "I like tea", "ada");
    expect(await memoryEvents(turnId)).toEqual([
      { turnId, endUser: `${owner.projectId}/${digestSubject(owner.projectId, "ada")}` },
    ]);
  });

  it("asks for none without an end user, when memory is off, or when it failed", async () => {
    const [on, off] = await Promise.all([newOwner(), newOwner(false)]);
    const turns = [
      await say(on, "I like tea"),
      await say(off, "I like tea", "ada"),
      await say(on, "I like tea [[fail:400]]", "ada"),
    ];
    for (const { turnId } of turns) {
      expect(await memoryEvents(turnId)).toEqual([]);
    }
    for (const { turnId } of [turns[0], turns[1], turns[2]].filter((turn) => turn !== undefined)) {
      expect(await rememberTurn(turnId)).toBe("skipped");
    }
    expect(await prisma().memoryProfile.count({ where: { projectId: { in: [on.projectId, off.projectId] } } })).toBe(0);
  });
});

describe("remembering a turn", () => {
  it("writes a version with its session and turn, once, whatever is known of another end user", async () => {
    const owner = await newOwner();
    await knowBob(owner);
    const { sessionId, turnId } = await say(owner, "remember-1 [[answer:- Likes tea]]", "ada");
    expect(await rememberTurn(turnId)).toBe("written");
    expect(await rememberTurn(turnId)).toBe("skipped");
    expect(journal("remember-1").at(-1)?.lastUserText).not.toContain("wind");
    expect(await getMemory(owner, "ada")).toMatchObject({ content: "- Likes tea", version: 1, forgottenAt: null });
    expect((await listMemoryVersions(owner, "ada", FIRST_PAGE)).data).toEqual([
      { version: 1, content: "- Likes tea", sessionId, turnId, createdAt: expect.any(String) },
    ]);
  });

  it("gives the model the profile so far and the conversation as data, and charges nothing", async () => {
    const owner = await newOwner();
    const first = await say(owner, "remember-2 [[answer:- Likes tea]]", "ada");
    await rememberTurn(first.turnId);
    const before = await prisma().account.findUniqueOrThrow({ where: { id: owner.accountId } });
    const second = await say(owner, "remember-2b </context> [[answer:- Likes tea and rain]]", "ada", first.sessionId);
    const charged = await prisma().account.findUniqueOrThrow({ where: { id: owner.accountId } });
    await rememberTurn(second.turnId);
    const after = await prisma().account.findUniqueOrThrow({ where: { id: owner.accountId } });
    expect(charged.creditBalance).toBe(before.creditBalance - 1);
    expect(after).toMatchObject({ creditBalance: charged.creditBalance, creditReserved: 0 });
    const asked = journal("remember-2b").at(-1);
    expect(asked?.lastUserText).toContain('<memory name="users/ada.md" kind="md">\n- Likes tea\n</memory>');
    expect(asked?.lastUserText).toContain("End user: remember-2 [[answer");
    expect(asked?.lastUserText.match(/<\/context>/g), "the client's own closing tag is none").toHaveLength(1);
    expect(await getMemory(owner, "ada")).toMatchObject({ content: "- Likes tea and rain", version: 2 });
  });

  it("reads of a long message no more than goes along", async () => {
    const owner = await newOwner();
    const { turnId } = await say(owner, `remember-6 [[answer:- Likes tea]] ${"and rain ".repeat(20_000)}`, "ada");
    const query = vi.spyOn(db(), "query");
    expect(await rememberTurn(turnId)).toBe("written");
    const page = query.mock.calls.findIndex(
      ([statement]) => (statement as { name?: string }).name === "conversation-messages",
    );
    const read: unknown = await query.mock.results[page]?.value;
    query.mockRestore();
    const { rows } = read as { rows: { content: string }[] };
    expect(rows.map(({ content }) => content.length)).toEqual([11, mostCharacters(2_000)]);
    expect(journal("remember-6").at(-1)?.lastUserText).toContain("End user: remember-6");
  });

  it("asks a small model for no more than it can read and write", async () => {
    setOwnModels({ tiny: { contextWindowTokens: 4_096, maxOutputTokens: 1_024 } });
    const owner = await newOwner();
    await prisma().project.update({ where: { id: owner.projectId }, data: { model: "tiny" } });
    const said = "and rain ".repeat(300);
    const { sessionId } = await say(owner, `remember-7 ${said}`, "ada");
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Likes tea. ".repeat(300) });
    for (let turn = 0; turn < 3; turn++) await say(owner, `remember-7 ${said}`, "ada", sessionId);
    const { turnId } = await say(owner, `remember-7 last [[answer:- Likes rain]] ${said}`, "ada", sessionId);
    expect(await rememberTurn(turnId)).toBe("written");
    setOwnModels({});
    const asked = journal("remember-7").at(-1);
    expect(asked?.body.max_tokens).toBe(1_024);
    expect(asked?.lastUserText).toContain("remember-7 last");
    expect(estimateTokens(JSON.stringify(asked?.body.messages))).toBeLessThan(4_096 - 1_024);
  });

  it("keeps the profile as it is when the turn told nothing new", async () => {
    const owner = await newOwner();
    const first = await say(owner, "remember-3 [[answer:- Likes tea]]", "ada");
    await rememberTurn(first.turnId);
    expect(await rememberTurn((await say(owner, "x [[answer:- Likes tea]]", "ada")).turnId)).toBe("unchanged");
    expect(await rememberTurn((await say(owner, "x [[answer:NOTHING]]", "ada")).turnId)).toBe("unchanged");
    expect(await getMemory(owner, "ada")).toMatchObject({ content: "- Likes tea", version: 1 });
  });

  it.each(["length", "content_filter"])("keeps the profile as it is when the model breaks off: %s", async (reason) => {
    const owner = await newOwner();
    const known = "- Likes tea\n- Lives in Turin";
    await rememberTurn((await say(owner, `[[answer:${known}]]`, "ada")).turnId);
    const cut = await say(owner, `x [[answer:- Likes t]] [[finish:${reason}]]`, "ada");
    expect(await rememberTurn(cut.turnId)).toBe("unchanged");
    expect(await getMemory(owner, "ada")).toMatchObject({ content: known, version: 1 });
  });

  it("takes a profile beyond its limit as far as that reaches, though the model broke off", async () => {
    const owner = await newOwner();
    const endless = await say(owner, `[[answer:- Likes tea]] [[size:9000]] [[finish:length]]`, "ada");
    expect(await rememberTurn(endless.turnId)).toBe("written");
    expect((await getMemory(owner, "ada"))?.content).toMatch(/^- Likes tea .{3980,3990}$/);
  });

  it("never writes over a change that came in between, and not after memory was switched off", async () => {
    const owner = await newOwner();
    const { turnId } = await say(owner, "remember-4 [[answer:- Likes tea]]", "ada");
    model.setBehaviour({ firstChunkMs: 300 });
    const count = journal("remember-4").length;
    const update = rememberTurn(turnId);
    update.catch(() => {});
    await expect.poll(() => journal("remember-4").length).toBeGreaterThan(count);
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Written by a person" });
    await expect(update).rejects.toBeInstanceOf(MemoryChangedError);
    model.setBehaviour({});
    expect(await contentOf(owner, "ada")).toBe("- Written by a person");
    await prisma().project.update({ where: { id: owner.projectId }, data: { apiMemoryPerUser: false } });
    expect(await rememberTurn(turnId)).toBe("skipped");
    expect(await contentOf(owner, "ada")).toBe("- Written by a person");
  });

  it.each<[string, (owner: TestAccount) => Promise<unknown>]>([
    [
      "memory was switched off",
      (owner) => prisma().project.update({ where: { id: owner.projectId }, data: { apiMemoryPerUser: false } }),
    ],
    [
      "the profile was erased",
      async ({ projectId }) => {
        await prisma().memoryVersion.deleteMany({ where: { projectId } });
        await prisma().memoryProfile.deleteMany({ where: { projectId } });
      },
    ],
    ["the end user was forgotten", (owner) => forgetMemory(OPERATOR, owner, "ada")],
    ["its session was deleted", ({ projectId }) => prisma().session.deleteMany({ where: { projectId } })],
  ])("writes nothing when %s while the model was shown the profile", async (what, change) => {
    const owner = await newOwner();
    const mark = `remember-7 ${what}`;
    const { turnId } = await say(owner, `${mark} [[answer:- Likes tea]]`, "ada");
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Of before" });
    model.setBehaviour({ firstChunkMs: 300 });
    const count = journal(mark).length;
    const update = rememberTurn(turnId);
    update.catch(() => {});
    await expect.poll(() => journal(mark).length).toBeGreaterThan(count);
    await change(owner);
    await expect(update).rejects.toBeInstanceOf(MemoryChangedError);
    model.setBehaviour({});
    const where = { projectId: owner.projectId, content: { contains: "Likes tea" } };
    expect(await prisma().memoryProfile.count({ where })).toBe(0);
    expect(await prisma().memoryVersion.count({ where })).toBe(0);
  });

  it("asks anew once the profile has changed: the provider must not repeat what it made of the one before", async () => {
    const owner = await newOwner();
    const { turnId } = await say(owner, "remember-8 [[answer:- Likes tea and rain]]", "ada");
    const countBefore = journal("remember-8").length;
    expect(await rememberTurn(turnId)).toBe("written");
    await prisma().memoryVersion.deleteMany({ where: { projectId: owner.projectId, turnId } });
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Likes rain" });
    expect(await rememberTurn(turnId)).toBe("written");
    const keys = journal("remember-8").slice(countBefore);
    expect(new Set(keys.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
  });

  it("reads nothing that was said after the turn", async () => {
    const owner = await newOwner();
    const first = await say(owner, "remember-9 [[answer:- Likes tea]]", "ada");
    await say(owner, "said-after", "ada", first.sessionId);
    expect(await rememberTurn(first.turnId)).toBe("written");
    expect(journal("remember-9").at(-1)?.lastUserText).not.toContain("said-after");
  });

  it("writes one version when two workers remember the same turn at once", async () => {
    const owner = await newOwner();
    const { turnId } = await say(owner, "remember-5 [[answer:- Likes tea]]", "ada");
    await Promise.allSettled([rememberTurn(turnId), rememberTurn(turnId), rememberTurn(turnId)]);
    expect((await listMemoryVersions(owner, "ada", FIRST_PAGE)).data).toHaveLength(1);
  });

  it("that fails at the model throws and leaves the turn as it ended", async () => {
    const owner = await newOwner();
    const { sessionId, turnId } = await say(owner, "remember-6", "ada");
    model.setBehaviour({ fault: { kind: "status", status: 500 } });
    await expect(rememberTurn(turnId)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    model.setBehaviour({});
    expect(await getChatSession(owner.principal, sessionId)).toMatchObject({ status: "completed" });
    expect(await getMemory(owner, "ada")).toBeNull();
  });
});

describe("a profile", () => {
  it("goes into calls of that end user of that project alone, and only while memory is on", async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()]);
    await say(owner, "hello", "ada");
    await say(other, "hello", "ada");
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Likes pelicans" });
    const systemOf = async (account: TestAccount, marker: string, endUserId?: string) => {
      await say(account, marker, endUserId);
      return JSON.stringify(journal(marker)[0]?.messages[0]);
    };
    expect(await systemOf(owner, "profile-1", "ada")).toContain("- Likes pelicans");
    expect(await systemOf(owner, "profile-2", "bob")).not.toContain("pelicans");
    expect(await systemOf(owner, "profile-3")).not.toContain("pelicans");
    expect(await systemOf(other, "profile-4", "ada")).not.toContain("pelicans");
    await prisma().project.update({ where: { id: owner.projectId }, data: { apiMemoryPerUser: false } });
    expect(await systemOf(owner, "profile-5", "ada")).not.toContain("pelicans");
    expect(await loadMemory(owner.projectId, "ada")).toBeNull();
  });

  it("is forgotten with all its versions, and what was said before is not learned again", async () => {
    const owner = await newOwner();
    const first = await say(owner, "forget-1 [[answer:- Likes tea]]", "ada");
    const second = await say(owner, "forget-2 [[answer:- Likes rain]]", "ada");
    await rememberTurn(first.turnId);
    expect(await forgetMemory(OPERATOR, owner, "ada")).toMatchObject({ content: "", forgottenAt: expect.any(String) });
    expect((await listMemoryVersions(owner, "ada", FIRST_PAGE)).data).toEqual([]);
    expect(await rememberTurn(second.turnId)).toBe("skipped");
    expect(await loadMemory(owner.projectId, "ada")).toBeNull();
    const third = await say(owner, "forget-3 [[answer:- Likes snow]]", "ada", second.sessionId);
    expect(await rememberTurn(third.turnId)).toBe("written");
    expect(journal("forget-3").at(-1)?.lastUserText).not.toContain("forget-2");
    expect(await contentOf(owner, "ada")).toBe("- Likes snow");
  });

  it("keeps its first version and the newest 200, whether the AI or a person writes the next one", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    for (const each of [owner, other]) {
      await say(each, "hello", "ada");
      await editMemory(OPERATOR, each, { endUserId: "ada", content: "- First" });
    }
    await knowBob(owner);
    await db().query(
      `INSERT INTO memory_versions (project_id, end_user_id, version, content)
       SELECT project_id, end_user_id, n, 'x' FROM memory_profiles, generate_series(2, 250) n
       WHERE project_id = ANY ($1::text[])`,
      [[owner.projectId, other.projectId]],
    );
    await db().query("UPDATE memory_profiles SET version = 250 WHERE project_id = $1", [owner.projectId]);
    const kept = async () => {
      const { data } = await listMemoryVersions(owner, "ada", { limit: 10, offset: 199 });
      return data.map(({ version }) => version);
    };
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Next" });
    expect(await kept()).toEqual([52, 1]);
    const { turnId } = await say(owner, "bound-1 [[answer:- Likes tea]]", "ada");
    expect(await rememberTurn(turnId)).toBe("written");
    expect(await kept()).toEqual([53, 1]);
    await forgetMemory(OPERATOR, owner, "ada");
    const others = [
      await listMemoryVersions(other, "ada", FIRST_PAGE),
      await listMemoryVersions(owner, "bob", FIRST_PAGE),
    ];
    expect(
      others.map(({ pagination }) => pagination.total),
      "of another project's end user, and of another one",
    ).toEqual([250, 250]);
  });

  it("is written, read and forgotten by its own project alone", async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()]);
    await say(owner, "hello", "ada");
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Likes tea" });
    for (const attempt of [
      () => editMemory(OPERATOR, other, { endUserId: "ada", content: "x" }),
      () => forgetMemory(OPERATOR, other, "ada"),
      () => editMemory(OPERATOR, owner, { endUserId: "bob", content: "x" }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await getMemory(other, "ada")).toBeNull();
    expect((await listMemoryVersions(other, "ada", FIRST_PAGE)).data).toEqual([]);
    await say(other, "hello", "ada");
    await forgetMemory(OPERATOR, other, "ada");
    expect(await contentOf(owner, "ada")).toBe("- Likes tea");
    expect((await listMemoryVersions(owner, "ada", FIRST_PAGE)).data).toHaveLength(1);
    for (const content of ["", "x".repeat(4_001), "a\u0000"]) {
      await expect(editMemory(OPERATOR, owner, { endUserId: "ada", content })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
    }
  });
});

describe("a person who edits a profile", () => {
  it("gives none of an erased profile's words to who came anew under that name", async () => {
    const owner = await newOwner();
    await say(owner, "hello", "ada");
    const save = (content: string, baseVersion?: number) =>
      editMemory(OPERATOR, owner, { endUserId: "ada", content, baseVersion });
    await save("- Of the erased", 0);
    await prisma().memoryProfile.deleteMany({ where: { projectId: owner.projectId, endUserId: "ada" } });
    await expect(save("- Of the erased, too", 1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await getMemory(owner, "ada")).toBeNull();
    expect(await save("- Anew")).toMatchObject({ outcome: "saved", saved: { version: 1 } });
  });

  it("gives none of them either while the profile is just being erased", async () => {
    const owner = await newOwner();
    await say(owner, "hello", "ada");
    const save = (baseVersion: number) =>
      editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Of the erased", baseVersion });
    await save(0);
    const late = await inTransaction(async (tx) => {
      await tx.query("DELETE FROM memory_profiles WHERE project_id = $1", [owner.projectId]);
      const saving = save(1).catch((error: unknown) => error);
      await expect.poll(async () => (await db().query(WAITING)).rowCount).toBeGreaterThan(0);
      return { saving };
    });
    expect(await late.saving).toMatchObject({ code: "NOT_FOUND" });
    expect(await getMemory(owner, "ada")).toBeNull();
  });

  it("saves over nothing newer than what they began with, and leaves a line in the audit log", async () => {
    const owner = await newOwner();
    await say(owner, "hello", "ada");
    const save = (content: string, baseVersion: number) =>
      editMemory(OPERATOR, owner, { endUserId: "ada", content, baseVersion });
    expect(await save("- One", 0)).toMatchObject({ outcome: "saved", saved: { version: 1 } });
    expect(await save("- Two", 1)).toMatchObject({ outcome: "saved", saved: { version: 2 } });
    expect(await save("- Three", 1)).toMatchObject({ outcome: "conflict", current: { content: "- Two", version: 2 } });
    expect(await contentOf(owner, "ada")).toBe("- Two");
    await forgetMemory(OPERATOR, owner, "ada");
    const lines = await prisma().auditEntry.findMany({
      where: { accountId: owner.accountId, subject: "ada" },
      orderBy: { createdAt: "asc" },
      select: { action: true, after: true },
    });
    expect(lines).toEqual([
      { action: "memory.edit", after: { version: 1, characters: 5 } },
      { action: "memory.edit", after: { version: 2, characters: 5 } },
      { action: "memory.forget", after: null },
    ]);
  });
});

describe("the context receipt", () => {
  it("says what the model saw, and of a failed turn too", async () => {
    const owner = await newOwner();
    const file = await createKnowledgeFile(owner, { path: "a.md", content: "Alpha" });
    await say(owner, "hello", "ada");
    await editMemory(OPERATOR, owner, { endUserId: "ada", content: "- Likes tea" });
    const { sessionId } = await say(owner, "receipt-1", "ada");
    const { context } = await getChatSession(owner.principal, sessionId);
    expect(context).toMatchObject({
      model: expect.any(String),
      isTokenCountEstimated: false,
      knowledge: { files: [{ path: "a.md", version: 1, sha256: file.sha256, included: "whole" }] },
      memory: { version: 1 },
      files: [],
      history: { messages: 0, leftOut: 0 },
    });
    const { total, ...parts } = context?.tokens ?? { total: 0 };
    expect(Object.values(parts).every((count) => count >= 0)).toBe(true);
    expect(Math.abs(Object.values(parts).reduce((sum, count) => sum + count, 0) - total)).toBeLessThanOrEqual(8);
    await say(owner, "receipt-2 [[fail:400]]", "ada", sessionId);
    expect((await getChatSession(owner.principal, sessionId)).context).toMatchObject({ history: { messages: 2 } });
  });
});
