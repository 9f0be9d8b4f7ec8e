import { afterEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { loadKnowledge } from "@/lib/services/knowledge/load-knowledge";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

useServiceDatabase();

afterEach(() => {
  vi.restoreAllMocks();
});

/** Does something right after the files were listed, for the first so many times. */
function afterListing(times: number, act: () => Promise<unknown>) {
  const pool = db();
  const query = pool.query.bind(pool) as (...values: unknown[]) => Promise<unknown>;
  let left = times;
  const asked = async (...values: unknown[]) => {
    const result = await query(...values);
    const isListing = (values[0] as { name?: string }).name === "knowledge-files";
    if (isListing && left-- > 0) await act();
    return result;
  };
  vi.spyOn(pool, "query").mockImplementation(asked as never);
}

const BUDGET = 2_000;
const LONG = `# Tea\n\nTea is sold by the pound.\n\n# Other\n\n${"Words about nothing. ".repeat(2_000)}`;

async function addFiles() {
  const account = await createTestAccount();
  const short = await createKnowledgeFile(account, { path: "a.md", content: "Short." });
  const long = await createKnowledgeFile(account, { path: "b.md", content: LONG });
  return { account, short, long };
}

describe("knowledge of which a file is saved while a call reads it", () => {
  it("keeps to its budget, and names the version of the short file that it holds", async () => {
    const { account, short } = await addFiles();
    afterListing(1, () => updateKnowledgeFile(account, short.id, { content: "Longer by far. ".repeat(5_000) }));
    const { blocks, receipt } = await loadKnowledge(account.projectId, { text: "What is far longer?" }, BUDGET);
    expect(blocks.map(({ text }) => text).join().length / 4).toBeLessThan(BUDGET * 1.5);
    expect(receipt?.files).toMatchObject([{ path: "a.md", version: 2, included: "sections" }, { path: "b.md" }]);
  });

  it("names the version that its sections are of", async () => {
    const { account, long } = await addFiles();
    afterListing(1, () => updateKnowledgeFile(account, long.id, { content: LONG.replace("the pound", "the ounce") }));
    const { blocks, receipt } = await loadKnowledge(account.projectId, { text: "How is tea sold?" }, BUDGET);
    expect(blocks[1]?.text).toContain("the ounce");
    expect(receipt?.files[1]).toMatchObject({ path: "b.md", version: 2, included: "sections" });
  });

  it("comes all the same when that never ends", async () => {
    const { account, short } = await addFiles();
    let saved = 0;
    afterListing(100, () => updateKnowledgeFile(account, short.id, { content: `Short ${++saved}.` }));
    expect((await loadKnowledge(account.projectId, { text: "How is tea sold?" }, BUDGET)).blocks).toHaveLength(2);
    expect(saved).toBe(3);
  });
});

describe("the budget of knowledge", () => {
  it("is kept to also where many files are so short that their names take more than they say", async () => {
    const account = await createTestAccount();
    for (let n = 10; n < 30; n++)
      await createKnowledgeFile(account, { path: `prices/of/${n}.md`, content: `Tea ${n}.` });
    const { receipt } = await loadKnowledge(account.projectId, { text: "Which tea?" }, 200);
    expect(receipt?.tokens).toBeLessThanOrEqual(200);
    expect(receipt?.files.some(({ included }) => included === "none")).toBe(true);
  });

  it("is taken by whole short files to a half at most: the other half is for what answers", async () => {
    const account = await createTestAccount();
    const words = "Words about nothing. ".repeat(150);
    for (const path of ["a.md", "b.md"]) await createKnowledgeFile(account, { path, content: words });
    await createKnowledgeFile(account, { path: "long.md", content: LONG });
    const { receipt } = await loadKnowledge(account.projectId, { text: "How is tea sold?" }, BUDGET);
    expect(receipt?.files).toMatchObject([
      { path: "a.md", included: "whole" },
      { path: "b.md", included: expect.not.stringMatching("whole") },
      { path: "long.md", included: "sections" },
    ]);
  });
});
