import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { deleteKnowledgeFile } from "@/lib/services/knowledge/delete-knowledge-file";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";
import { listKnowledgeVersions } from "@/lib/services/knowledge/list-knowledge-versions";
import { loadKnowledge } from "@/lib/services/knowledge/load-knowledge";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

const OWNER = { kind: "owner", userId: "usr_1" } as const;
const FIRST_PAGE = { limit: 20, offset: 0 };
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

useServiceDatabase();

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function headingsOf(fileId: string): Promise<string[]> {
  const { rows } = await db().query("SELECT heading FROM knowledge_sections WHERE file_id = $1 ORDER BY position", [
    fileId,
  ]);
  return rows.map(({ heading }) => heading);
}

/** Fills a project with files up to 20 MB but for some bytes. */
async function fillUp({ projectId }: TestAccount, freeBytes: number): Promise<void> {
  await db().query(
    `INSERT INTO knowledge_files (id, project_id, path, content, sha256, token_count)
     SELECT 'knw_' || $1 || n, $1, 'full/' || n || '.md', repeat('x', 1048576 - CASE n WHEN 1 THEN $2::int ELSE 0 END), '', 1
     FROM generate_series(1, 20) n`,
    [projectId, freeBytes],
  );
}

describe("knowledge files", () => {
  it("are made with hash, size, tokens and a first version", async () => {
    const owner = await createTestAccount();
    const content = "# Prices\n\nÄpfel cost 3 €.";
    const file = await createKnowledgeFile(owner, { path: ".brain/api/db/shop/prices.md", content }, "usr_1");
    expect(file).toMatchObject({ path: "shop/prices.md", content, version: 1, sha256: sha256(content) });
    expect(file.sizeBytes).toBe(Buffer.byteLength(content));
    expect(file.tokenCount).toBeGreaterThan(0);
    expect(await getKnowledgeFile(owner, file.id)).toEqual(file);
    const { content: _, ...item } = file;
    expect(await listKnowledgeFiles(owner)).toEqual([item]);
    expect((await listKnowledgeVersions(owner, file.id, FIRST_PAGE)).data).toEqual([
      { version: 1, content, sha256: sha256(content), createdById: "usr_1", createdAt: file.createdAt },
    ]);
  });

  it("keep every content as a version, and none for a change of name or to the same text", async () => {
    const owner = await createTestAccount();
    const { id } = await createKnowledgeFile(owner, { path: "a.md", content: "one" });
    await updateKnowledgeFile(owner, id, { content: "# two\n\ntext\n\n# three\n\ntext" });
    await updateKnowledgeFile(owner, id, { path: "b/c.md" });
    expect(await headingsOf(id), "sections are found by the file's name").toEqual(["b c > two", "b c > three"]);
    const same = await updateKnowledgeFile(owner, id, { content: "# two\n\ntext\n\n# three\n\ntext" });
    expect(same).toMatchObject({ path: "b/c.md", version: 2 });
    const anew = await createKnowledgeFile(owner, { path: "anew.md", content: same.content });
    expect(same.tokenCount).toBe(anew.tokenCount);
    expect(same).toMatchObject({ sha256: anew.sha256, sizeBytes: anew.sizeBytes });
    const { data } = await listKnowledgeVersions(owner, id, FIRST_PAGE);
    expect(data.map(({ version, content }) => [version, content])).toEqual([
      [2, "# two\n\ntext\n\n# three\n\ntext"],
      [1, "one"],
    ]);
    expect(await headingsOf(id)).toHaveLength(2);
  });

  it("are gone with versions and sections when deleted, and the name is free again", async () => {
    const owner = await createTestAccount();
    const { id } = await createKnowledgeFile(owner, { path: "a.md", content: "one" });
    await deleteKnowledgeFile(owner, id, OWNER);
    await expect(getKnowledgeFile(owner, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await headingsOf(id)).toEqual([]);
    await createKnowledgeFile(owner, { path: "a.md", content: "again" });
  });

  it("answer the same for another project's file and a missing one, and change nothing", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const file = await createKnowledgeFile(theirs, { path: "secret.md", content: "secret" });
    for (const id of [file.id, "knw_01k8z3v5n6f0mve1q5t9d2x7ab"]) {
      const attempts = [
        getKnowledgeFile(mine, id),
        updateKnowledgeFile(mine, id, { content: "x" }),
        deleteKnowledgeFile(mine, id, OWNER),
        listKnowledgeVersions(mine, id, FIRST_PAGE),
      ];
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt).toMatchObject({
          status: "rejected",
          reason: { code: "NOT_FOUND", message: "The knowledge file was not found." },
        });
      }
    }
    expect(await listKnowledgeFiles(mine)).toEqual([]);
    expect(await getKnowledgeFile(theirs, file.id)).toEqual(file);
  });

  it("refuse bad names, taken names and bad contents, and leave nothing behind", async () => {
    const owner = await createTestAccount();
    const { id } = await createKnowledgeFile(owner, { path: "a.md", content: "one" });
    await createKnowledgeFile(owner, { path: "b.md", content: "two" });
    const attempts = [
      createKnowledgeFile(owner, { path: "../a.md", content: "x" }),
      createKnowledgeFile(owner, { path: "users/ada.md", content: "x" }),
      createKnowledgeFile(owner, { path: "a.md", content: "x" }),
      createKnowledgeFile(owner, { path: "c.md", content: " \n" }),
      createKnowledgeFile(owner, { path: "c.md", content: "a\u0000b" }),
      createKnowledgeFile(owner, { path: "c.md", content: "a\ud800" }),
      createKnowledgeFile(owner, { path: "c.md", content: "é".repeat(512 * 1024 + 1) }),
      updateKnowledgeFile(owner, id, { path: "b.md" }),
      updateKnowledgeFile(owner, id, { path: "a.txt" }),
      updateKnowledgeFile(owner, id, { content: " \n" }),
      updateKnowledgeFile(owner, id, { content: "a\u0000b" }),
      updateKnowledgeFile(owner, id, { content: "é".repeat(512 * 1024 + 1) }),
    ];
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: "rejected", reason: { code: "VALIDATION_FAILED" } });
    }
    expect((await listKnowledgeFiles(owner)).map(({ path, version }) => [path, version])).toEqual([
      ["a.md", 1],
      ["b.md", 1],
    ]);
  });

  it("take exactly 1 MB, and of twenty of one name at once exactly one", async () => {
    const owner = await createTestAccount();
    await createKnowledgeFile(owner, { path: "big.md", content: "x".repeat(1024 * 1024) });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => createKnowledgeFile(owner, { path: "a.md", content: `${index}` })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("hold at most 20 MB in a project, whether a file comes or grows", async () => {
    const owner = await createTestAccount();
    const { id } = await createKnowledgeFile(owner, { path: "a.md", content: "xx" });
    await fillUp(owner, 2);
    const refused = { code: "VALIDATION_FAILED", message: expect.stringContaining("together") };
    await expect(createKnowledgeFile(owner, { path: "more.md", content: "x" })).rejects.toMatchObject(refused);
    expect(await listKnowledgeFiles(owner)).toHaveLength(21);
    await updateKnowledgeFile(owner, id, { content: "x" });
    await createKnowledgeFile(owner, { path: "more.md", content: "x" });
    await expect(updateKnowledgeFile(owner, id, { content: "xx" })).rejects.toMatchObject(refused);
    expect(await getKnowledgeFile(owner, id)).toMatchObject({ version: 2, content: "x" });
  });

  it("hold no more than that when two of them grow, or one more comes, at once", async () => {
    const owner = await createTestAccount();
    const [a, b] = [
      await createKnowledgeFile(owner, { path: "a.md", content: "x" }),
      await createKnowledgeFile(owner, { path: "b.md", content: "x" }),
    ];
    // Each has room for 80 bytes, the two have not.
    await fillUp(owner, 102);
    const grow = (id: string, meanwhile?: () => Promise<void>) =>
      updateKnowledgeFile(owner, id, { content: "x".repeat(80) }, null, meanwhile);
    const others: Promise<unknown>[] = [];
    await grow(a.id, async () => {
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      others.push(grow(b.id), createKnowledgeFile(owner, { path: "c.md", content: "x".repeat(80) }));
      for (const other of others) other.then(settle, settle);
      await expect
        .poll(async () => isSettled || (await db().query(WAITING)).rowCount === 2, { interval: 20 })
        .toBe(true);
    });
    const refused = { code: "VALIDATION_FAILED", message: expect.stringContaining("together") };
    expect(await Promise.allSettled(others)).toMatchObject([
      { status: "rejected", reason: refused },
      { status: "rejected", reason: refused },
    ]);
    expect(await getKnowledgeFile(owner, b.id)).toMatchObject({ version: 1, content: "x" });
  });

  it("are at most 500 in a project, which can still be changed", async () => {
    const owner = await createTestAccount();
    await db().query(
      `INSERT INTO knowledge_files (id, project_id, path, content, sha256, token_count)
       SELECT 'knw_many_' || n, $1, 'many/' || n || '.md', 'x', '', 1 FROM generate_series(1, 499) n`,
      [owner.projectId],
    );
    const { id } = await createKnowledgeFile(owner, { path: "a.md", content: "one" });
    await expect(createKnowledgeFile(owner, { path: "b.md", content: "two" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("500"),
    });
    expect(await updateKnowledgeFile(owner, id, { content: "two" })).toMatchObject({ version: 2 });
  });
});

describe("knowledge of a call", () => {
  /** A file of many sections, one of which speaks of pelicans. */
  async function addLongFile(owner: TestAccount) {
    const sections = Array.from(
      { length: 60 },
      (_, index) => `## Part ${index}\n\n${"Filler about nothing. ".repeat(60)}`,
    );
    sections[37] = "## Returns of pelicans\n\nA pelican is taken back within 42 days.";
    return createKnowledgeFile(owner, { path: "long.md", content: `# Handbook\n\n${sections.join("\n\n")}` });
  }

  it("is every file whole, by name, when all fit", async () => {
    const owner = await createTestAccount();
    const b = await createKnowledgeFile(owner, { path: "b.md", content: "Beta" });
    await createKnowledgeFile(owner, { path: "a.md", content: "Alpha" });
    const { blocks, receipt } = await loadKnowledge(owner.projectId, { text: "anything" }, 1_000);
    expect(blocks).toEqual([
      { tag: "knowledge", name: "a.md", kind: "md", text: "Alpha" },
      { tag: "knowledge", name: "b.md", kind: "md", text: "Beta" },
    ]);
    expect(receipt?.files.map(({ path, included }) => [path, included])).toEqual([
      ["a.md", "whole"],
      ["b.md", "whole"],
    ]);
    expect(receipt?.files[1]).toMatchObject({ version: 1, sha256: b.sha256 });
  });

  it("beyond the budget is short files whole and the sections that answer the question", async () => {
    const owner = await createTestAccount();
    await createKnowledgeFile(owner, { path: "about.md", content: "We are a zoo shop." });
    await addLongFile(owner);
    const { blocks, receipt } = await loadKnowledge(owner.projectId, { text: "May I return my pelicans?" }, 2_000);
    expect(blocks[0]).toEqual({ tag: "knowledge", name: "about.md", kind: "md", text: "We are a zoo shop." });
    expect(blocks[1]).toMatchObject({ name: "long.md", note: expect.stringContaining("sections") });
    expect(blocks[1]?.text).toContain("42 days");
    expect(blocks[1]?.text).not.toContain("Part 3");
    expect(receipt).toMatchObject({
      budgetTokens: 2_000,
      files: [
        { path: "about.md", included: "whole" },
        { path: "long.md", included: "sections", sections: ["long > Handbook > Returns of pelicans"] },
      ],
    });
    expect(receipt?.tokens).toBeLessThanOrEqual(2_000);
  });

  it("never goes over its budget, and says what was left out", async () => {
    const owner = await createTestAccount();
    await addLongFile(owner);
    for (const budget of [0, 100, 1_000, 5_000]) {
      const { blocks, receipt } = await loadKnowledge(owner.projectId, { text: "Filler about what?" }, budget);
      expect(receipt?.tokens).toBeLessThanOrEqual(budget);
      expect(receipt?.files[0]?.included).toBe(blocks.length > 0 ? "sections" : "none");
    }
  });

  it("takes no more of long files than short ones that go whole leave of the budget", async () => {
    const owner = await createTestAccount();
    await addLongFile(owner);
    await createKnowledgeFile(owner, { path: "short.md", content: "Filler of our own. ".repeat(150) });
    const { receipt } = await loadKnowledge(owner.projectId, { text: "Filler about what?" }, 2_000);
    expect(receipt?.files.map(({ included }) => included)).toEqual(["sections", "whole"]);
    expect(receipt?.tokens).toBeLessThanOrEqual(2_000);
  });

  it("has the sections of a file in the file's order, whichever says most", async () => {
    const owner = await createTestAccount();
    const filler = "Words about nothing. ".repeat(1_500);
    const content = `## Delivery\n\nA pelican flies.\n\n## Other\n\n${filler}\n\n## Pelicans\n\nPelicans are pelicans.`;
    await createKnowledgeFile(owner, { path: "long.md", content });
    const { receipt } = await loadKnowledge(owner.projectId, { text: "What of pelicans?" }, 1_000);
    expect(receipt?.files[0]?.sections).toEqual(["long > Delivery", "long > Pelicans"]);
  });

  it("is how the files begin when no word of the question meets", async () => {
    const owner = await createTestAccount();
    await addLongFile(owner);
    for (const question of [
      "",
      "the",
      "xyzzy",
      "'); DROP TABLE x; --",
      "a & b | !c <-> \\ \u0000 '\\''",
      "よくある質問",
    ]) {
      const { blocks } = await loadKnowledge(owner.projectId, { text: question }, 1_500);
      expect(blocks[0]?.text).toContain("# Handbook");
    }
  });

  it("finds the words at both ends of a long question", async () => {
    const owner = await createTestAccount();
    await addLongFile(owner);
    const noise = "irrelevant ".repeat(9_000);
    for (const question of [`pelican ${noise}`, `${noise} pelican`]) {
      const { blocks } = await loadKnowledge(owner.projectId, { text: question }, 1_500);
      expect(blocks[0]?.text).toContain("42 days");
    }
  });

  it("is another project's never, and nobody's while the project's API is off", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    await createKnowledgeFile(theirs, { path: "secret.md", content: "secret" });
    expect(await loadKnowledge(mine.projectId, { text: "secret" }, 10_000)).toEqual({ blocks: [] });
    await db().query("UPDATE projects SET api_enabled = false WHERE id = $1", [theirs.projectId]);
    expect(await loadKnowledge(theirs.projectId, { text: "secret" }, 10_000)).toEqual({ blocks: [] });
  });
});
