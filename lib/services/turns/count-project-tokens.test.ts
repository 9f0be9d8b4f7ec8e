import { afterEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { acceptBatch } from "@/lib/services/turns/accept-batch";
import { buildModelRequest } from "@/lib/services/turns/build-model-request";
import { prepareTurn, type StartCall } from "@/lib/services/turns/prepare-turn";

useServiceDatabase({ DEFAULT_MODEL: "gpt-4o" });

afterEach(() => {
  vi.useRealTimers();
});

const CALL: StartCall = { endpoint: "POST /chat", requestId: "req_test", input: "Hello", inputNames: ["message"] };

const reserve = async (account: TestAccount, more: Partial<StartCall> = {}) =>
  (await prepareTurn(account.principal, { ...CALL, ...more })).creditsToReserve;

const setProject = (account: TestAccount, columns: string, values: unknown[] = []) =>
  db().query(`UPDATE projects SET ${columns} WHERE id = $1`, [account.projectId, ...values]);

describe("what is reserved for a call", () => {
  it("counts the project's instructions and knowledge, as the model will", async () => {
    const [bare, rich] = await Promise.all([createTestAccount(), createTestAccount()]);
    const systemPrompt = "Answer in the manner of our house. ".repeat(500);
    await setProject(rich, "system_prompt = $2", [systemPrompt]);
    for (const path of ["prices.md", "terms.md"]) {
      await createKnowledgeFile(rich, { path, content: "Prices are in euro, with tax. ".repeat(800) });
    }
    const { accountId, projectId } = rich.principal;
    const turn = { turnId: "", sessionId: "", position: 0, input: "Hello", fileContent: null, endUserId: null };
    const { tokensInEstimate } = await buildModelRequest(
      { ...turn, accountId, projectId, templateId: null, templateVersion: null, systemPrompt },
      "gpt-4o",
      { payer: null },
    );
    const { addedTokens = 0 } = await prepareTurn(rich.principal, CALL);
    expect(addedTokens / tokensInEstimate).toBeGreaterThan(0.95);
    expect(addedTokens / tokensInEstimate).toBeLessThan(1.1);
    expect(await reserve(rich)).toBeGreaterThan((await reserve(bare)) + 30);
  });

  it("counts no more knowledge than goes along", async () => {
    const account = await createTestAccount();
    await db().query(
      `INSERT INTO knowledge_files (id, project_id, path, content, sha256, token_count)
       SELECT 'kb_' || n || $1, $1, 'file-' || n || '.md', 'x', 'x', 100000 FROM generate_series(1, 50) n`,
      [account.projectId],
    );
    const { addedTokens } = await prepareTurn(account.principal, CALL);
    expect(addedTokens).toBeLessThan(40_000);
    expect(addedTokens).toBeGreaterThan(25_000);
  });

  it("counts the end user's memory where the project keeps it", async () => {
    const account = await createTestAccount();
    await setProject(account, "api_memory_per_user = true");
    const [known, unknown] = await Promise.all([reserve(account, { endUserId: "ada" }), reserve(account)]);
    expect(known).toBeGreaterThan(unknown);
    // One that is continued in the client's own name may be an end user's.
    expect(await reserve(account, { sessionId: "ses_1" })).toBe(known);
  });

  it("counts them for each file of a batch", async () => {
    const account = await createTestAccount({ credits: 10_000 });
    await setProject(account, "system_prompt = $2", ["Answer in the manner of our house. ".repeat(500)]);
    const uploads = ["one", "two"].map((text) =>
      storeUpload(account, { name: `${text}.txt`, contentType: "text/plain", stream: bytesOf(text) }),
    );
    const files = await Promise.all(uploads);
    const turn = await prepareTurn(account.principal, { ...CALL, inputNames: ["prompt"], files });
    await acceptBatch(account.principal, { ...turn, files });
    const { rows } = await db().query<{ reserved: number }>(
      "SELECT credits_reserved AS reserved FROM turns WHERE project_id = $1",
      [account.projectId],
    );
    expect(rows).toHaveLength(2);
    for (const { reserved } of rows) expect(reserved).toBeGreaterThan(10);
  });

  it("waits for no query but a project's first, and follows its changes", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const account = await createTestAccount();
    const before = await reserve(account);
    await setProject(account, "system_prompt = $2", ["Answer in the manner of our house. ".repeat(500)]);
    expect(await reserve(account)).toBe(before);
    vi.advanceTimersByTime(2_000);
    expect(await reserve(account)).toBe(before);
    await expect.poll(() => reserve(account)).toBeGreaterThan(before);
  });
});

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
