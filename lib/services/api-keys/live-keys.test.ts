import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { MAX_LIVE_KEYS } from "@/lib/domain/limits";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { getApiKey } from "@/lib/services/api-keys/get-api-key";
import { listApiKeys } from "@/lib/services/api-keys/list-api-keys";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { createProject } from "@/lib/services/projects/create-project";

const ALL = { limit: 100, offset: 0 };

let account: TestAccount;
let owner: { kind: "owner"; userId: string; ip: string };

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  const member = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId } });
  owner = { kind: "owner", userId: member.userId, ip: "203.0.113.7" };
});

const create = () => createApiKey(owner, { ...account, name: "Backend", permissions: ["chat", "process"] });

describe(`an account with ${MAX_LIVE_KEYS} keys in use`, () => {
  const refusal = { code: "VALIDATION_FAILED", message: expect.stringContaining(`at most ${MAX_LIVE_KEYS} keys`) };
  const live = async () => (await listApiKeys(account, { ...ALL, isUsable: true })).pagination.total;

  /** It has one from the beginning. */
  const fill = async (count = MAX_LIVE_KEYS - 1): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => newId("apiKey"));
    const { accountId, projectId } = account;
    const key = { accountId, projectId, name: "Backend", hint: "aaaa", permissions: ["chat"] };
    await prisma().apiKey.createMany({ data: ids.map((id) => ({ ...key, id, keyHash: Buffer.from(id) })) });
    return ids;
  };

  it("gets no further one, also when all are asked for at once or in another project", async () => {
    await fill(MAX_LIVE_KEYS - 4);
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
    const refused = attempts.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(5);
    for (const attempt of refused) expect(attempt).toMatchObject({ reason: refusal });
    const { id: projectId } = await createProject(owner, account, { name: "Other" });
    const attempt = createApiKey(owner, { ...account, projectId, name: "Further", permissions: ["chat"] });
    await expect(attempt).rejects.toMatchObject(refusal);
    expect(await prisma().apiKey.count({ where: { accountId: account.accountId } })).toBe(MAX_LIVE_KEYS);
  });

  it("gets one again when another is revoked or expires", async () => {
    const [first = "", second = ""] = await fill();
    await revokeApiKey(owner, { keyId: first, scope: account });
    await create();
    await expect(create()).rejects.toMatchObject(refusal);
    await prisma().apiKey.update({ where: { id: second }, data: { expiresAt: new Date(Date.now() - 1) } });
    await create();
    expect(await live()).toBe(MAX_LIVE_KEYS);
  });

  it("can rotate without an overlap, and with one only when there is room for both", async () => {
    const [keyId = "", other = ""] = await fill();
    await expect(rotateApiKey(owner, account, { keyId, overlapHours: 24 })).rejects.toMatchObject(refusal);
    expect(await getApiKey(account, keyId)).toMatchObject({ status: "active", replacedById: null });
    await rotateApiKey(owner, account, { keyId, overlapHours: 0 });
    expect(await live()).toBe(MAX_LIVE_KEYS);
    await revokeApiKey(owner, { keyId: other, scope: account });
    const [next = ""] = (await listApiKeys(account, { ...ALL, isUsable: true })).data.map(({ id }) => id);
    await rotateApiKey(owner, account, { keyId: next, overlapHours: 24 });
    expect(await live()).toBe(MAX_LIVE_KEYS);
  });
});
