import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { findModel } from "@/lib/domain/model-catalog";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { deleteKnowledgeFile } from "@/lib/services/knowledge/delete-knowledge-file";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { measureKnowledge, previewKnowledge } from "@/lib/services/knowledge/preview-knowledge";
import { restoreKnowledgeVersion } from "@/lib/services/knowledge/restore-knowledge-version";
import { saveKnowledgeFile, updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

const PERSON = { kind: "owner", userId: "usr_1" } as const;
const NOT_FOUND = { code: "NOT_FOUND" };
/** A window of 32,768 tokens. */
const SMALL_MODEL = "some-small-model";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const make = (path: string, content: string) => createKnowledgeFile(account, { path, content });
const reader = () => ({ ...account.principal, model: SMALL_MODEL });

describe("saveKnowledgeFile", () => {
  it("saves over what the editor began with, and over nothing newer", async () => {
    const begun = await make("a.md", "one");
    const save = (content: string) =>
      saveKnowledgeFile(account, begun.id, { base: begun, changes: { path: "b.md", content } }, "usr_1");
    expect(await save("two")).toMatchObject({ outcome: "saved", saved: { version: 2, path: "b.md", content: "two" } });
    const saved = await getKnowledgeFile(account, begun.id);
    expect(await save("three")).toEqual({ outcome: "conflict", current: saved });
    expect(await getKnowledgeFile(account, begun.id)).toEqual(saved);
  });

  it("sees a change of the name alone", async () => {
    const begun = await make("a.md", "one");
    await updateKnowledgeFile(account, begun.id, { path: "b.md" });
    const result = await saveKnowledgeFile(account, begun.id, { base: begun, changes: { content: "two" } }, "usr_1");
    expect(result).toMatchObject({ outcome: "conflict", current: { path: "b.md", content: "one" } });
  });

  it("lets one of twenty that began with the same through", async () => {
    const begun = await make("a.md", "one");
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        saveKnowledgeFile(account, begun.id, { base: begun, changes: { content: `by ${n}` } }, "usr_1"),
      ),
    );
    expect(results.filter(({ outcome }) => outcome === "saved")).toHaveLength(1);
    expect((await getKnowledgeFile(account, begun.id)).version).toBe(2);
  });

  it("knows no file of another project", async () => {
    const theirs = await make("a.md", "one");
    const stranger = await createTestAccount();
    const attempt = saveKnowledgeFile(stranger, theirs.id, { base: theirs, changes: { content: "x" } }, "usr_1");
    await expect(attempt).rejects.toMatchObject(NOT_FOUND);
  });
});

describe("restoreKnowledgeVersion", () => {
  it("makes an earlier content the next version", async () => {
    const { id } = await make("a.md", "one");
    await updateKnowledgeFile(account, id, { content: "two" });
    expect(await restoreKnowledgeVersion(account, id, 1, PERSON)).toMatchObject({ version: 3, content: "one" });
    const line = await prisma().auditEntry.findFirst({ where: { action: "knowledge.restore", subject: id } });
    const change = { before: { version: 2 }, after: { version: 3, restoredVersion: 1 } };
    expect(line).toMatchObject({ actorId: "usr_1", ...change });
  });

  it("changes nothing, and says so to nobody, where that stands already", async () => {
    const { id } = await make("a.md", "one");
    await updateKnowledgeFile(account, id, { content: "two" });
    const back = await updateKnowledgeFile(account, id, { content: "one" });
    for (const version of [1, 3]) expect(await restoreKnowledgeVersion(account, id, version, PERSON)).toEqual(back);
    expect(await prisma().auditEntry.count({ where: { action: "knowledge.restore", subject: id } })).toBe(0);
  });

  it("made twice at the same time is one change, with one line of what stood before", async () => {
    const { id } = await make("a.md", "one");
    await updateKnowledgeFile(account, id, { content: "two" });
    const restore = () => restoreKnowledgeVersion(account, id, 1, PERSON);
    const hold = { statement: "SELECT 1 FROM projects WHERE id = $1 FOR UPDATE", id: account.projectId };
    const both = await whileHeld(hold, restore, restore);
    expect(both).toMatchObject([{ value: { version: 3 } }, { value: { version: 3 } }]);
    const lines = await prisma().auditEntry.findMany({ where: { action: "knowledge.restore", subject: id } });
    expect(lines).toMatchObject([{ before: { version: 2 } }]);
  });

  it("takes back no version that somebody else saved after the page was drawn, and says so", async () => {
    const { id } = await make("a.md", "one");
    await updateKnowledgeFile(account, id, { content: "two" });
    const restore = (began: number) => restoreKnowledgeVersion(account, id, 1, PERSON, began);
    const theirs = await updateKnowledgeFile(account, id, { content: "three" });
    await expect(restore(2)).rejects.toThrow("Nothing was changed: version 3 was saved by somebody else meanwhile.");
    expect(await getKnowledgeFile(account, id)).toEqual(theirs);
    expect(await restore(3)).toMatchObject({ version: 4, content: "one" });
    // Sent again, because its answer was lost.
    expect(await restore(3)).toMatchObject({ version: 4 });
  });

  it.each([
    ["no such version", 9],
    ["another project's file", 1],
  ])("refuses %s", async (what, version) => {
    const { id } = await make("a.md", "one");
    const who = what.startsWith("another") ? await createTestAccount() : account;
    await expect(restoreKnowledgeVersion(who, id, version, PERSON)).rejects.toMatchObject(NOT_FOUND);
  });
});

describe("previewKnowledge", () => {
  it("gives all files whole while they fit", async () => {
    await make("a.md", "# A\n\nshort");
    const { files, tokens, budgetTokens } = await previewKnowledge(reader(), "What is A?");
    expect(files).toMatchObject([{ path: "a.md", included: "whole" }]);
    expect(tokens).toBeLessThan(budgetTokens);
    const creditsPerCall = (tokens * findModel(SMALL_MODEL).creditsPerThousandTokensIn) / 1_000;
    expect(await measureKnowledge(reader())).toEqual({ budgetTokens, totalTokens: tokens, creditsPerCall });
  });

  it("chooses the sections that say most about the question once they do not", async () => {
    const filler = "Many words about nothing in particular. ".repeat(1_500);
    await make("handbook.md", `# Holidays\n\nThirty days a year.\n\n# Other\n\n${filler}`);
    const { budgetTokens, totalTokens, creditsPerCall } = await measureKnowledge(reader());
    expect(totalTokens).toBeGreaterThan(budgetTokens);
    expect(creditsPerCall).toBe((budgetTokens * findModel(SMALL_MODEL).creditsPerThousandTokensIn) / 1_000);
    const preview = await previewKnowledge(reader(), "How many holidays do I have?");
    expect(preview.files[0]).toMatchObject({ included: "sections" });
    expect(preview.files[0]?.sections?.[0]).toContain("Holidays");
    expect(preview.tokens).toBeLessThanOrEqual(preview.budgetTokens);
  });

  it("gives nothing while the project's API is off", async () => {
    await make("a.md", "text");
    await db().query("UPDATE projects SET api_enabled = false WHERE id = $1", [account.projectId]);
    expect((await previewKnowledge(reader(), "text")).files).toEqual([]);
  });
});

describe("deleteKnowledgeFile", () => {
  it("says in the audit log who removed what", async () => {
    const { id, path, version, sha256 } = await make("a.md", "one");
    await deleteKnowledgeFile(account, id, { kind: "owner", userId: "usr_1" });
    const { rows } = await db().query("SELECT action, actor_id, before FROM audit_log WHERE subject = $1", [id]);
    expect(rows).toEqual([{ action: "knowledge.delete", actor_id: "usr_1", before: { path, version, sha256 } }]);
  });
});
