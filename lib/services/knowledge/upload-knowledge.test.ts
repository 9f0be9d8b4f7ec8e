import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { lockKnowledge } from "@/lib/services/knowledge/check-knowledge";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";
import { listKnowledgeVersions } from "@/lib/services/knowledge/list-knowledge-versions";
import { uploadKnowledgeFile } from "@/lib/services/knowledge/upload-knowledge-file";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const make = (path: string, content: string) => createKnowledgeFile(account, { path, content });
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("uploadKnowledgeFile", () => {
  it("makes one file of two that come at once under a new name, each a version of it", async () => {
    const upload = (text: string) => uploadKnowledgeFile(account, { path: "a.md", bytes: bytesOf(text) }, "usr_1");
    const waiting = async () => {
      const { rows } = await db().query<{ count: number }>(
        `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.count;
    };
    // Both have looked for the name before either has it.
    const uploading = await inTransaction(async (tx) => {
      await lockKnowledge(tx, account);
      const both = Promise.all([upload("one"), upload("two")]);
      await expect.poll(waiting).toBe(2);
      return { both };
    });
    const [first, second] = await uploading.both;
    expect([first?.outcome, second?.outcome].sort()).toEqual(["changed", "created"]);
    expect(second?.fileId).toBe(first?.fileId);
    const fileId = first?.fileId ?? "";
    const { rows } = await db().query(
      "SELECT content FROM knowledge_file_versions WHERE file_id = $1 ORDER BY version",
      [fileId],
    );
    expect(rows.map(({ content }) => content).sort()).toEqual(["one", "two"]);
    expect(await getKnowledgeFile(account, fileId)).toMatchObject({ version: 2, content: rows[1]?.content });
  });

  it.each([
    ["deleted", "DELETE FROM knowledge_files WHERE id = $1", []],
    [
      "given another name",
      "UPDATE knowledge_files SET path = 'b.md' WHERE id = $1",
      [{ path: "b.md", content: "one" }],
    ],
  ])(
    "is a new file where the one of its name is being %s: nothing of that one is changed",
    async (_what, statement, others) => {
      const { id } = await make("a.md", "one");
      const upload = () => uploadKnowledgeFile(account, { path: "a.md", bytes: bytesOf("two") }, "usr_1");
      const lock = "SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE";
      const meanwhile = () => db().query(statement, [id]);
      const [result] = await whileHeld<[unknown]>({ statement: lock, id: account.projectId, meanwhile }, upload);
      expect(result).toMatchObject({ status: "fulfilled", value: { outcome: "created", path: "a.md" } });
      const { rows } = await db().query(
        "SELECT path, content FROM knowledge_files WHERE project_id = $1 ORDER BY path",
        [account.projectId],
      );
      expect(rows).toEqual([{ path: "a.md", content: "two" }, ...others]);
    },
  );

  it("makes a new file, then its next version, then nothing", async () => {
    const upload = (text: string) =>
      uploadKnowledgeFile(account, { path: "shop/prices.md", bytes: bytesOf(text) }, "usr_1");
    const created = await upload("\uFEFF# Prices");
    expect(created).toMatchObject({ outcome: "created", path: "shop/prices.md" });
    expect(await getKnowledgeFile(account, created.fileId)).toMatchObject({ content: "# Prices", version: 1 });
    expect(await upload("# New prices")).toEqual({ ...created, outcome: "changed" });
    expect(await upload("# New prices")).toEqual({ ...created, outcome: "same" });
    const { data } = await listKnowledgeVersions(account, created.fileId, { limit: 20, offset: 0 });
    expect(data.map(({ createdById }) => createdById)).toEqual(["usr_1", "usr_1"]);
  });

  it.each<[string, string, Uint8Array]>([
    ["another ending", "a.exe", bytesOf("x")],
    ["a path out of the folder", "../a.md", bytesOf("x")],
    ["the place of memory profiles", "users/anna.md", bytesOf("x")],
    ["what is no UTF-8", "a.md", new Uint8Array([0xff, 0xfe, 0x41])],
    ["an empty file", "a.md", bytesOf(" \n")],
    ["a NUL", "a.md", bytesOf("a\0b")],
  ])("refuses %s and keeps nothing", async (_, path, bytes) => {
    await expect(uploadKnowledgeFile(account, { path, bytes }, "usr_1")).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await listKnowledgeFiles(account)).toEqual([]);
  });
});
