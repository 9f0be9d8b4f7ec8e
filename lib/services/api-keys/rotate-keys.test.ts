import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { createKeyInput, rotateKeyInput } from "@/lib/contracts/api-keys";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { getApiKey } from "@/lib/services/api-keys/get-api-key";
import { listApiKeys } from "@/lib/services/api-keys/list-api-keys";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";

const ALL = { limit: 100, offset: 0 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let account: TestAccount;
let owner: { kind: "owner"; userId: string; ip: string };

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  const member = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId } });
  owner = { kind: "owner", userId: member.userId, ip: "203.0.113.7" };
});

afterEach(() => {
  vi.useRealTimers();
});

const create = (more: { expiresAt?: Date; creditsPerMonth?: number } = {}) =>
  createApiKey(owner, { ...account, name: "Backend", permissions: ["chat", "process"], ...more });

const auditOf = (subject: string) => prisma().auditEntry.findMany({ where: { subject }, orderBy: { id: "asc" } });

describe("listApiKeys", () => {
  it("says of each key all but the key itself, newest first", async () => {
    const { keyId, apiKey } = await create();
    await authenticateKey(apiKey, { ip: "198.51.100.4" });
    await expect
      .poll(async () => (await getApiKey(account, keyId)).lastUsedAt, { message: "the use is noted" })
      .not.toBeNull();
    const { data, pagination } = await listApiKeys(account, ALL);
    expect(pagination.total).toBe(2);
    expect(data.map(({ name }) => name)).toEqual(["Backend", "Test"]);
    expect(data[0]).toMatchObject({
      id: keyId,
      hint: apiKey.slice(-4),
      permissions: ["chat", "process"],
      status: "active",
      createdBy: { id: owner.userId, name: null, email: expect.stringContaining("@example.test") },
      ageDays: 0,
      isRotationDue: false,
      expiresAt: null,
      revokedAt: null,
      lastUsedIp: "198.51.100.4",
      replacedById: null,
      replacesId: null,
    });
    expect(data[1]).toMatchObject({ createdBy: null, lastUsedAt: null });
    expect(JSON.stringify(data)).not.toContain(apiKey.slice(4, -4));
  });

  it("names who made a key while they are of its team, and lists it once however many teams they are of", async () => {
    const { keyId } = await create();
    const elsewhere = await createTestAccount();
    const { userId } = owner;
    await prisma().member.create({ data: { accountId: elsewhere.accountId, userId, role: "member" } });
    const listed = async () =>
      (await listApiKeys(account, ALL)).data.flatMap(({ id, createdBy }) => (id === keyId ? [createdBy?.id] : []));
    expect(await listed()).toEqual([userId]);
    await prisma().member.delete({ where: { accountId_userId: { accountId: account.accountId, userId } } });
    expect(await listed()).toEqual([undefined]);
  });

  it("leaves out what takes no calls, when asked", async () => {
    const [revoked, expired] = [await create(), await create({ expiresAt: new Date(Date.now() + DAY_MS) })];
    await revokeApiKey(owner, { keyId: revoked.keyId, scope: account });
    const later = new Date(Date.now() + 2 * DAY_MS);
    const usable = await listApiKeys(account, { ...ALL, isUsable: true }, later);
    expect(usable.data.map(({ name }) => name)).toEqual(["Test"]);
    expect(usable.pagination.total).toBe(1);
    const statuses = (await listApiKeys(account, ALL, later)).data.map(({ id, status }) => [id, status]);
    expect(statuses.slice(0, 2)).toEqual([
      [expired.keyId, "expired"],
      [revoked.keyId, "revoked"],
    ]);
  });

  it("asks for a rotation after 90 days", async () => {
    const later = new Date(Date.now() + 90 * DAY_MS);
    expect((await listApiKeys(account, ALL, later)).data[0]).toMatchObject({ ageDays: 90, isRotationDue: true });
  });
});

describe("rotateApiKey", () => {
  it("makes a key that may do the same, and lets the old one go on until the overlap ends", async () => {
    const old = await create();
    const now = new Date();
    const made = await rotateApiKey(owner, account, { keyId: old.keyId, overlapHours: 24 }, now);
    const end = new Date(now.getTime() + DAY_MS);
    expect(made).toMatchObject({ permissions: ["chat", "process"], previous: { keyId: old.keyId, expiresAt: end } });
    const [before, after] = [await authenticateKey(old.apiKey), await authenticateKey(made.apiKey)];
    expect(after.principal).toEqual({ ...before.principal, apiKeyId: made.keyId });
    expect(await getApiKey(account, old.keyId)).toMatchObject({
      status: "retiring",
      expiresAt: end.toISOString(),
      replacedById: made.keyId,
    });
    expect(await getApiKey(account, old.keyId, end)).toMatchObject({ status: "expired" });
    expect(await getApiKey(account, made.keyId)).toMatchObject({
      name: "Backend",
      status: "active",
      expiresAt: null,
      replacesId: old.keyId,
    });
  });

  it("without an overlap ends the old key at once", async () => {
    const old = await create();
    await rotateApiKey(owner, account, { keyId: old.keyId, overlapHours: 0 });
    await expect(authenticateKey(old.apiKey)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  });

  it("ends the old key at once also from a server whose clock is ahead", async () => {
    const old = await create();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS });
    await rotateApiKey(owner, account, { keyId: old.keyId, overlapHours: 0 });
    await expect(authenticateKey(old.apiKey)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  });

  it("gives the new key the old one's lifetime, and never prolongs the old one", async () => {
    const old = await create({ expiresAt: new Date(Date.now() + HOUR_MS) });
    const { createdAt, expiresAt } = await prisma().apiKey.findUniqueOrThrow({ where: { id: old.keyId } });
    const now = new Date();
    const made = await rotateApiKey(owner, account, { keyId: old.keyId, overlapHours: 24 }, now);
    expect(made.previous.expiresAt).toEqual(expiresAt);
    expect(made.expiresAt).toEqual(new Date(now.getTime() + Number(expiresAt) - Number(createdAt)));
  });

  it("of one key five times at once makes one new key", async () => {
    const old = await create();
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => rotateApiKey(owner, account, { keyId: old.keyId, overlapHours: 1 })),
    );
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await listApiKeys(account, ALL)).pagination.total).toBe(3);
  });

  it("is refused for a key that is just being revoked: nobody who has it gets a new one", async () => {
    const { keyId } = await create();
    const statement = "UPDATE api_keys SET revoked_at = now() WHERE id = $1";
    const [rotation] = await whileHeld({ statement, id: keyId }, () =>
      rotateApiKey(owner, account, { keyId, overlapHours: 1 }),
    );
    expect(rotation).toMatchObject({ status: "rejected", reason: { code: "VALIDATION_FAILED", param: "keyId" } });
    expect((await listApiKeys(account, ALL)).pagination.total).toBe(2);
  });

  it("is refused for keys that take no calls or were replaced, and changes nothing", async () => {
    const [revoked, replaced] = [await create(), await create()];
    await revokeApiKey(owner, { keyId: revoked.keyId, scope: account });
    await rotateApiKey(owner, account, { keyId: replaced.keyId, overlapHours: 24 });
    const before = await listApiKeys(account, ALL);
    for (const { keyId } of [revoked, replaced]) {
      await expect(rotateApiKey(owner, account, { keyId, overlapHours: 24 })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
    }
    expect((await listApiKeys(account, ALL)).pagination).toEqual(before.pagination);
  });

  it("is refused while the account is not verified", async () => {
    const { keyId } = await create();
    await db().query("UPDATE accounts SET verification_status = 'suspended' WHERE id = $1", [account.accountId]);
    await expect(rotateApiKey(owner, account, { keyId, overlapHours: 1 })).rejects.toMatchObject({
      code: "B2B_NOT_VERIFIED",
      message: expect.stringContaining("The account is suspended"),
    });
  });

  it("is in the audit log, both keys with what they may and until when, without the key", async () => {
    const expiresAt = new Date(Date.now() + 2 * DAY_MS);
    const old = await create({ expiresAt, creditsPerMonth: 50 });
    const made = await rotateApiKey(owner, account, { keyId: old.keyId, overlapHours: 24 });
    const lines = [...(await auditOf(old.keyId)), ...(await auditOf(made.keyId))];
    expect(lines.map(({ action, actorId, ip }) => [action, actorId, ip])).toEqual([
      ["key.create", owner.userId, owner.ip],
      ["key.rotate", owner.userId, owner.ip],
      ["key.create", owner.userId, owner.ip],
    ]);
    const may = {
      name: "Backend",
      projectId: account.projectId,
      permissions: ["chat", "process"],
      creditsPerMonth: 50,
    };
    const end = made.previous.expiresAt.toISOString();
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [null, { ...may, expiresAt: expiresAt.toISOString() }],
      [{ expiresAt: expiresAt.toISOString() }, { expiresAt: end, replacedById: made.keyId }],
      [null, { ...may, expiresAt: made.expiresAt?.toISOString() }],
    ]);
    expect(JSON.stringify(lines)).not.toContain(made.apiKey.slice(4, -4));
  });
});

describe("keys of others", () => {
  it("are not found, and stay as they are, from another account or project", async () => {
    const theirs = await createTestAccount();
    const { keyId } = await create();
    const otherProject = { accountId: account.accountId, projectId: newId("project") };
    for (const scope of [theirs, otherProject, { ...account, accountId: theirs.accountId }]) {
      const attempts = [
        getApiKey(scope, keyId),
        rotateApiKey(owner, scope, { keyId, overlapHours: 0 }),
        revokeApiKey(owner, { keyId, scope }),
      ];
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
      }
      const { data } = await listApiKeys(scope, ALL);
      expect(data.map(({ id }) => id)).not.toContain(keyId);
    }
    expect(await getApiKey(account, keyId)).toMatchObject({ status: "active" });
  });
});

describe("what the panel may ask for", () => {
  it("is a key that ends in the future, with a name and a permission", async () => {
    await expect(create({ expiresAt: new Date(Date.now() - 1) })).rejects.toMatchObject({ param: "expiresAt" });
    const input = { name: " Backend ", permissions: ["chat"], expiresInDays: null };
    expect(createKeyInput.parse(input)).toMatchObject({ name: "Backend" });
    for (const wrong of [
      { name: " " },
      { permissions: [] },
      { permissions: ["all"] },
      { expiresInDays: 0 },
      { x: 1 },
    ]) {
      expect(createKeyInput.safeParse({ ...input, ...wrong }).success).toBe(false);
    }
  });

  it("is an overlap of at most 30 days", () => {
    const input = { keyId: newId("apiKey"), overlapHours: 720 };
    expect(rotateKeyInput.parse(input)).toEqual(input);
    for (const wrong of [{ keyId: "x" }, { overlapHours: 721 }, { overlapHours: -1 }, { overlapHours: 0.5 }]) {
      expect(rotateKeyInput.safeParse({ ...input, ...wrong }).success).toBe(false);
    }
  });
});
