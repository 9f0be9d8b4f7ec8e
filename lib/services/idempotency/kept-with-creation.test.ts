import { beforeAll, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import { createOnce } from "@/lib/services/idempotency/create-once";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import * as release from "@/lib/services/idempotency/release-key";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { createProject } from "@/lib/services/projects/create-project";
import { createTemplate } from "@/lib/services/templates/create-template";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { testWebhook } from "@/lib/services/webhooks/test-webhook";

let account: TestAccount;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

const webhook = { url: "https://receiver.example/hook", events: ["completion"], active: true } as const;

async function claim(key: string): Promise<IdempotencyClaim> {
  const result = await claimKey(account.principal, {
    key,
    requestHash: Buffer.alloc(32, key),
    requestId: `req_${key}`,
    status: 201,
  });
  if (!("claim" in result)) throw new Error("the key is taken");
  return result.claim;
}

async function stateOf(key: string): Promise<string | undefined> {
  const { rows } = await db().query("SELECT state FROM idempotency_keys WHERE project_id = $1 AND key = $2", [
    account.projectId,
    key,
  ]);
  return rows[0]?.state;
}

type Table = "templates" | "webhook_registrations" | "webhook_deliveries" | "knowledge_files" | "projects";

async function countOf(table: Table): Promise<number> {
  const [column, id] = table === "projects" ? ["account_id", account.accountId] : ["project_id", account.projectId];
  const { rows } = await db().query(`SELECT count(*) AS n FROM ${table} WHERE ${column} = $1`, [id]);
  return rows[0].n;
}

const CREATIONS = [
  {
    what: "a template",
    table: "templates",
    create: (by: IdempotencyClaim) => createTemplate(account.principal, { name: "T", promptTemplate: "x" }, null, by),
  },
  {
    what: "a registration",
    table: "webhook_registrations",
    create: (by: IdempotencyClaim) =>
      createWebhook(account.principal, { ...webhook, events: ["completion"] }, undefined, by),
  },
  {
    what: "a test send",
    table: "webhook_deliveries",
    create: async (by: IdempotencyClaim) => {
      const { id } = await createWebhook(account.principal, { ...webhook, events: ["completion"] });
      return testWebhook(account.principal, id, by);
    },
  },
  {
    what: "a knowledge file",
    table: "knowledge_files",
    create: (by: IdempotencyClaim) =>
      createKnowledgeFile(account.principal, { path: `${by.requestId}.md`, content: "x" }, null, by),
  },
  {
    what: "a project",
    table: "projects",
    create: async (by: IdempotencyClaim) => createProject(await ownerOf(account), account, { name: by.requestId }, by),
  },
] as const;

describe.each(CREATIONS)("an answer to the creation of $what", ({ what, table, create }) => {
  it("is kept in the transaction of what is made", async () => {
    const key = `keep ${what}`;
    const before = await countOf(table);
    const mine = await claim(key);
    await create(mine);
    expect(await stateOf(key)).toBe("done");
    expect(await countOf(table)).toBe(before + 1);
  });

  it("takes what is made back when another call has the key by now", async () => {
    const key = `lost ${what}`;
    const mine = await claim(key);
    await db().query("UPDATE idempotency_keys SET owner = 'req_other' WHERE key = $1", [key]);
    const before = await countOf(table);
    await expect(create(mine)).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(await countOf(table)).toBe(before);
  });
});

describe("a form of the panel that is sent again because its answer was lost", () => {
  const attempt = "0123456789abcdef";
  const send = (name: string) =>
    createOnce(account.principal, attempt, { name }, (by) =>
      createTemplate(account.principal, { name, promptTemplate: "x" }, null, by),
    );

  it("makes once what it makes, and is answered the same", async () => {
    const before = await countOf("templates");
    const made = await send("Once");
    expect(await send("Once")).toEqual(made);
    expect(Number(await countOf("templates"))).toBe(Number(before) + 1);
  });

  it("is not answered for another one: what was changed in it since would be lost unseen", async () => {
    const refusal = { code: "IDEMPOTENCY_KEY_REUSED" };
    const sendAs = (name: string) =>
      createOnce(account.principal, "aaaabbbbccccdddd", { name }, (by) =>
        createTemplate(account.principal, { name, promptTemplate: "x" }, null, by),
      );
    await sendAs("First");
    await expect(sendAs("Second")).rejects.toMatchObject(refusal);
  });

  it("says why it was refused, also when the database goes away just then", async () => {
    const giveBack = vi.spyOn(release, "releaseKey").mockRejectedValueOnce(new Error("The database is away."));
    const refused = createOnce(account.principal, "ddddccccbbbbaaaa", {}, () => Promise.reject(new Error("no")));
    await expect(refused).rejects.toThrow("no");
    expect(giveBack).toHaveBeenCalledOnce();
    giveBack.mockRestore();
  });

  it("may be sent again when it was refused", async () => {
    const refused = () => createOnce(account.principal, "fedcba9876543210", {}, () => Promise.reject(new Error("no")));
    await expect(refused()).rejects.toThrow("no");
    await expect(refused()).rejects.toThrow("no");
  });
});
