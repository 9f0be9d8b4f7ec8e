import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { MAX_KNOWLEDGE_VERSIONS_BYTES } from "@/lib/domain/limits";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { listKnowledgeVersions } from "@/lib/services/knowledge/list-knowledge-versions";
import { restoreKnowledgeVersion } from "@/lib/services/knowledge/restore-knowledge-version";
import { updateKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";

const MB = 1024 * 1024;
const OWNER = { kind: "owner", userId: "usr_1" } as const;
const PAGE = { limit: 1_000, offset: 0 };

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

/** As saving would: `count` contents more of so many bytes, the last of them the current one. */
async function addVersions(fileId: string, count: number, bytes: number): Promise<void> {
  await db().query(
    `WITH made AS (
       INSERT INTO knowledge_file_versions (file_id, version, content, sha256, created_at)
       SELECT k.id, k.version + i, repeat('x', $3), 'hash ' || i, k.updated_at + make_interval(secs => i / 1000.0)
         FROM knowledge_files k, generate_series(1, $2) i WHERE k.id = $1 RETURNING version, content, sha256, created_at)
     UPDATE knowledge_files k SET version = m.version, content = m.content, sha256 = m.sha256, updated_at = m.created_at
       FROM (SELECT * FROM made ORDER BY version DESC LIMIT 1) m WHERE k.id = $1`,
    [fileId, count, bytes],
  );
}

const versionsOf = async (fileId: string) =>
  (await listKnowledgeVersions(account, fileId, PAGE)).data.map(({ version }) => version);

async function keptBytes(): Promise<number> {
  const { rows } = await db().query<{ bytes: number }>(
    `SELECT sum(octet_length(v.content)) AS bytes FROM knowledge_file_versions v
     JOIN knowledge_files k ON k.id = v.file_id WHERE k.project_id = $1`,
    [account.projectId],
  );
  return Number(rows[0]?.bytes);
}

describe("versions of a project's knowledge", () => {
  it("all stay as long as they fit", async () => {
    const { id } = await createKnowledgeFile(account, { path: "a.md", content: "one" });
    await addVersions(id, 300, 1_000);
    await updateKnowledgeFile(account, id, { content: "newest" });
    expect(await versionsOf(id)).toHaveLength(302);
  });

  it("lose the oldest beyond that, without gaps, and can be restored as before", async () => {
    const { id } = await createKnowledgeFile(account, { path: "a.md", content: "one" });
    await addVersions(id, 120, MB);
    await updateKnowledgeFile(account, id, { content: "newest" });
    const kept = await versionsOf(id);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 122 - index));
    expect(kept.length).toBeGreaterThan(95);
    expect(await keptBytes()).toBeLessThanOrEqual(MAX_KNOWLEDGE_VERSIONS_BYTES);
    expect(await restoreKnowledgeVersion(account, id, kept.at(-1) ?? 0, OWNER)).toMatchObject({ version: 123 });
    await expect(restoreKnowledgeVersion(account, id, 1, OWNER)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are bounded in number too when they are short", async () => {
    const { id } = await createKnowledgeFile(account, { path: "a.md", content: "one" });
    await addVersions(id, 110_000, 1);
    await updateKnowledgeFile(account, id, { content: "newest" });
    const { pagination } = await listKnowledgeVersions(account, id, { limit: 1, offset: 0 });
    expect(pagination.total).toBeLessThan(103_000);
  });

  it("never lose what a file says now, however old it is, nor anything of another project", async () => {
    const old = await createKnowledgeFile(account, { path: "old.md", content: "as old as it gets" });
    const stranger = await createTestAccount();
    const theirs = await createKnowledgeFile(stranger, { path: "old.md", content: "one" });
    await updateKnowledgeFile(stranger, theirs.id, { content: "two" });
    const { id } = await createKnowledgeFile(account, { path: "busy.md", content: "one" });
    await addVersions(id, 120, MB);
    await createKnowledgeFile(account, { path: "new.md", content: "new" });
    expect((await versionsOf(id)).length).toBeLessThan(101);
    expect(await versionsOf(old.id)).toEqual([1]);
    expect(await getKnowledgeFile(account, old.id)).toEqual(old);
    expect((await listKnowledgeVersions(stranger, theirs.id, PAGE)).data).toHaveLength(2);
  });
});
